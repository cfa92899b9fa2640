import { STATUS_CODES } from 'node:http';
import { maxBodyBytes } from '@trackside/contract/tracking/body-sizes.ts';
import type { RecordKind } from '../../../intake/steps/validate.ts';
import { successHeaders, successText } from '../../server/answer.ts';

/** A tracking request with a complete head. Its body is the bytes from `bodyStart` to `end`. */
export type PlainRequest = {
  kind: RecordKind;
  authorization: string;
  idempotencyKey: string | undefined;
  attempt: string | undefined;
  sequence: string | undefined;
  release: string | undefined;
  bodyStart: number;
  end: number;
};

const requestLines: readonly (readonly [string, RecordKind])[] = [
  ['POST /api/page-view HTTP/1.1\r\n', 'page_view'],
  ['POST /api/event-view HTTP/1.1\r\n', 'event'],
];
const endOfHead = Buffer.from('\r\n\r\n');
const maxHeadBytes = 8 * 1024;

/** Names as in RFC 9110, printable ASCII values, proper line ends: all parsers read these the same. */
const wellFormed = /^(?:[\w!#$%&'*+.^`|~-]+:[ -~]*\r\n)+$/;

/**
 * Reads the head of a tracking request as most clients send it. Returns undefined for everything else, be it
 * unusual (chunks, compression, an expectation, a query, HTTP/1.0) or broken: Node's parser reads those.
 */
export function readPlainRequest(bytes: Buffer): PlainRequest | undefined {
  const headEnd = bytes.indexOf(endOfHead);
  if (headEnd === -1 || headEnd > maxHeadBytes) return undefined;
  const head = bytes.toString('latin1', 0, headEnd + 2);
  const found = requestLines.find(([line]) => head.startsWith(line));
  if (found === undefined) return undefined;
  const [line, kind] = found;
  const fields = head.slice(line.length);
  if (!wellFormed.test(fields)) return undefined;

  let authorization: string | undefined;
  let idempotencyKey: string | undefined;
  let attempt: string | undefined;
  let sequence: string | undefined;
  let release: string | undefined;
  let length: string | undefined;
  for (let at = 0; at < fields.length; ) {
    const colon = fields.indexOf(':', at);
    const end = fields.indexOf('\r', colon);
    // Length and first letter rule out most names without reading them.
    const name = isTelling[shapeOf(colon - at, fields.charCodeAt(at))]
      ? fields.slice(at, colon).toLowerCase()
      : '';
    if (name === 'authorization') {
      if (authorization !== undefined) return undefined;
      authorization = fields.slice(colon + 1, end).trim();
    } else if (name === 'content-length') {
      if (length !== undefined) return undefined;
      length = fields.slice(colon + 1, end).trim();
    } else if (name === 'idempotency-key') {
      if (idempotencyKey !== undefined) return undefined;
      idempotencyKey = fields.slice(colon + 1, end).trim();
    } else if (name === 'trackside-attempt') {
      if (attempt !== undefined) return undefined;
      attempt = fields.slice(colon + 1, end).trim();
    } else if (name === 'trackside-sequence') {
      if (sequence !== undefined) return undefined;
      sequence = fields.slice(colon + 1, end).trim();
    } else if (name === 'trackside-release') {
      if (release !== undefined) return undefined;
      release = fields.slice(colon + 1, end).trim();
    } else if (name === 'connection' || name === 'proxy-connection') {
      // The second is not a standard header, but Node's parser treats it like the first.
      if (
        fields
          .slice(colon + 1, end)
          .trim()
          .toLowerCase() !== 'keep-alive'
      )
        return undefined;
    } else if (unusual.has(name)) return undefined;
    at = end + 2;
  }
  if (authorization === undefined || length === undefined || !/^\d{1,6}$/.test(length)) return undefined;
  const bodyBytes = Number(length);
  if (bodyBytes > maxBodyBytes) return undefined;
  const bodyStart = headEnd + endOfHead.length;
  const end = bodyStart + bodyBytes;
  return { kind, authorization, idempotencyKey, attempt, sequence, release, bodyStart, end };
}

const unusual = new Set([
  'content-encoding',
  'transfer-encoding',
  'expect',
  'upgrade',
  'trailer',
  'te',
  'trackside-dry-run',
]);
const telling = [
  'authorization',
  'content-length',
  'idempotency-key',
  'trackside-attempt',
  'trackside-sequence',
  'trackside-release',
  'connection',
  'proxy-connection',
  ...unusual,
];
const isTelling: readonly boolean[] = Array.from({ length: 32 * 32 }, (_, shape) =>
  telling.some((name) => shapeOf(name.length, name.charCodeAt(0)) === shape),
);

/** A number made of a name's length and its first letter, in either case. */
function shapeOf(length: number, firstCode: number): number {
  return length * 32 + (firstCode & 31);
}

const successStart = `HTTP/1.1 200 OK\r\n${formatHeaders(successHeaders)}`;

/** Formats the answer to an accepted record. Headers are names and values in turn. */
export function formatSuccess(headers: readonly string[], ending: string): string {
  return `${successStart}${formatHeaders(headers)}${ending}${successText}`;
}

export function formatAnswer(code: number, headers: readonly string[], text: string, ending: string): string {
  return `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\n${formatHeaders(headers)}${ending}${text}`;
}

function formatHeaders(headers: readonly string[]): string {
  let text = '';
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}

/** Makes the headers that Node puts at the end of every answer. They change once a second. */
export function createEnding({ keepAliveMs }: { keepAliveMs: number }): (isLast: boolean) => string {
  const connection = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n\r\n`;
  let date = '';
  let second = 0;
  let usual = '';
  return (isLast) => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      date = `Date: ${new Date(second * 1000).toUTCString()}\r\n`;
      usual = `${date}${connection}`;
    }
    return isLast ? `${date}Connection: close\r\n\r\n` : usual;
  };
}
