import type { Attempt, Contingent, Result } from '../faults/result.ts';
import type { ServerAnswer } from './exchange.ts';

type Header = ServerAnswer['header'];

const maxMessageLength = 1000;

export function readAnswer(
  { status, header, text }: ServerAnswer,
  { now, apiKey }: { now: number; apiKey: string },
): Attempt {
  const answer = parseAnswer(text, apiKey);
  if (answer === undefined) return judgeStranger(status, readRetryAfterMs(header, now));
  const { message } = answer;
  const contingent = readContingent(header);
  const known = contingent === undefined ? {} : { contingent };
  switch (answer.code) {
    case 200:
      if (status < 200 || status > 299) return judgeStranger(status, readRetryAfterMs(header, now));
      return certain({ kind: 'accepted', code: 200, message, ...known });
    case 400:
      return certain({ kind: 'malformed', code: 400, message, ...known });
    case 401:
      return certain({ kind: 'unauthorized', code: 401, message });
    case 429: {
      const retryAfterMs = readRetryAfterMs(header, now) ?? msToNextMonth(now);
      return certain({ kind: 'contingent-used-up', code: 429, message, retryAfterMs, ...known });
    }
    case 404:
    case 405:
      return certain({ kind: 'unavailable', code: answer.code, message: wrongUrl(answer.code) });
    default: {
      const retryAfterMs = readRetryAfterMs(header, now);
      const result: Result = { kind: 'unavailable', code: answer.code, message, ...later(retryAfterMs) };
      // Such a record is kept by the server, but was not confirmed in time, or may be on its broken disk.
      const isUncertain = header('trackside-outcome') === 'unknown';
      return { result, isTransient: isTransient(answer.code), isUncertain };
    }
  }
}

const certain = (result: Result): Attempt => ({ result, isTransient: false, isUncertain: false });
const later = (retryAfterMs: number | undefined) => (retryAfterMs === undefined ? {} : { retryAfterMs });

/**
 * Handles an answer that Trackside does not give: from a proxy in front of it, or from something else at that
 * address.
 */
function judgeStranger(status: number, retryAfterMs: number | undefined): Attempt {
  const result: Result = {
    kind: 'unavailable',
    code: status,
    message: describeStranger(status),
    ...later(retryAfterMs),
  };
  // A gateway's 5xx can come after the server has counted the record.
  const isUncertain = status >= 500 || (status >= 200 && status < 300);
  return { result, isTransient: isTransient(status), isUncertain };
}

function describeStranger(status: number): string {
  if (status === 404 || status === 405) return wrongUrl(status);
  if (status >= 300 && status < 400) {
    return (
      `Expected a response from Trackside, got the redirect ${status}. It is not followed, ` +
      'because the API key would be sent along: set url to the final address.'
    );
  }
  if (status < 300) {
    return (
      `Expected a response from Trackside, got status ${status} from something else: ` +
      'check that url is the address of Trackside.'
    );
  }
  return (
    `Expected a response from Trackside, got status ${status} from something in front of it: ` +
    'check the proxy or firewall in between.'
  );
}

const wrongUrl = (status: number) =>
  `Expected a response from Trackside, got status ${status}: check that url is the address of Trackside, ` +
  'without /api/page-view.';

const isTransient = (status: number) => status >= 500 || [408, 425, 429].includes(status);

function parseAnswer(text: string, apiKey: string): { code: number; message: string } | undefined {
  try {
    const { Code: code, Message: message } = JSON.parse(text);
    if (!Number.isInteger(code) || typeof message !== 'string') return undefined;
    // Whatever is at that address could send the key back to us, and messages end up in logs.
    return { code, message: message.replaceAll(apiKey, '[API key]').slice(0, maxMessageLength) };
  } catch {
    return undefined;
  }
}

function readContingent(header: Header): Contingent | undefined {
  const limit = readCount(header('contingent-limit'));
  const remaining = readCount(header('contingent-remaining'));
  const reset = readCount(header('contingent-reset'));
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAfterMs: reset * 1000 };
}

/** Reads Retry-After, which is in seconds or a date. */
function readRetryAfterMs(header: Header, now: number): number | undefined {
  const value = header('retry-after');
  const seconds = readCount(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readCount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function msToNextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - now;
}
