import type { Attempt, Contingent, Result } from './result.ts';

/** Our answers have some hundred bytes; of a proxy's page nothing is needed. */
const maxAnswerBytes = 16 * 1024;
const maxMessageLength = 1000;

export async function readAnswer(
  response: Response,
  { now, apiKey }: { now: number; apiKey: string },
): Promise<Attempt> {
  const answer = parseAnswer(await readStart(response), apiKey);
  const { status, headers } = response;
  if (answer === undefined) return judgeStranger(status, readRetryAfterMs(headers, now));
  const { message } = answer;
  const contingent = readContingent(headers);
  const known = contingent === undefined ? {} : { contingent };
  switch (answer.code) {
    case 200:
      if (!response.ok) return judgeStranger(status, readRetryAfterMs(headers, now));
      return certain({ kind: 'accepted', code: 200, message, ...known });
    case 400:
      return certain({ kind: 'malformed', code: 400, message, ...known });
    case 401:
      return certain({ kind: 'unauthorized', code: 401, message });
    case 429: {
      const retryAfterMs = readRetryAfterMs(headers, now) ?? msToNextMonth(now);
      return certain({ kind: 'contingent-used-up', code: 429, message, retryAfterMs, ...known });
    }
    case 404:
    case 405:
      return certain({ kind: 'unavailable', code: answer.code, message: wrongUrl(answer.code) });
    default: {
      const retryAfterMs = readRetryAfterMs(headers, now);
      const result: Result = { kind: 'unavailable', code: answer.code, message, ...later(retryAfterMs) };
      return { result, isTransient: isTransient(answer.code), isUncertain: false };
    }
  }
}

const certain = (result: Result): Attempt => ({ result, isTransient: false, isUncertain: false });
const later = (retryAfterMs: number | undefined) => (retryAfterMs === undefined ? {} : { retryAfterMs });

/** An answer that Trackside does not give: of a proxy in front of it, or of something else at that address. */
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
    return `Expected an answer of Trackside, got the redirect ${status}. It is not followed, because the API key would go along: set url to the final address.`;
  }
  if (status < 300) {
    return `Expected an answer of Trackside, got status ${status} with something else: see that url is the address of Trackside.`;
  }
  return `Expected an answer of Trackside, got status ${status} from something in front of it: look at the proxy or firewall between.`;
}

const wrongUrl = (status: number) =>
  `Expected an answer of Trackside, got status ${status}: see that url is the address of Trackside, without /api/page-view.`;

const isTransient = (status: number) => status >= 500 || [408, 425, 429].includes(status);

async function readStart(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  for (let bytes = 0; bytes <= maxAnswerBytes; ) {
    const { done, value } = await reader.read();
    // Read to its end, the connection can be used again.
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  reader.cancel().catch(() => {});
  return '';
}

function parseAnswer(text: string, apiKey: string): { code: number; message: string } | undefined {
  try {
    const { Code: code, Message: message } = JSON.parse(text);
    if (!Number.isInteger(code) || typeof message !== 'string') return undefined;
    // Whatever stands at that address could send the key back to us, and messages end up in logs.
    return { code, message: message.replaceAll(apiKey, '[API key]').slice(0, maxMessageLength) };
  } catch {
    return undefined;
  }
}

function readContingent(headers: Headers): Contingent | undefined {
  const limit = readCount(headers.get('contingent-limit'));
  const remaining = readCount(headers.get('contingent-remaining'));
  const reset = readCount(headers.get('contingent-reset'));
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAfterMs: reset * 1000 };
}

/** In seconds, or as a date. */
function readRetryAfterMs(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after');
  const seconds = readCount(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readCount(value: string | null): number | undefined {
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function msToNextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - now;
}
