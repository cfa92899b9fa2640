import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { change, type HostileJson, writeHostile } from './hostile-json.ts';

/** What is asked in a valid way, before anything is changed. */
export type Target = {
  name: string;
  family: 'record' | 'batch' | 'question' | 'form';
  method: string;
  path: string;
  headers: Record<string, string>;
  valid: unknown;
};

/** A request to send. What it differs in from a valid one is known. */
export type FuzzCase = {
  target: Target;
  json: HostileJson;
  /** What else is odd about the request, besides its JSON. */
  dress: Dress;
  bytes: Buffer;
};

type Dress = (typeof dresses)[number];
type Dressed = { headers: Record<string, string>; body: Buffer };

/** How a body is declared, encoded and cut. Most cases are plain, so that their JSON decides. */
const dresses = [
  'plain',
  'chunked',
  'chunked byte by byte',
  'chunks with extensions and trailers',
  'another type',
  'no type',
  'a charset',
  'UTF-16',
  'a byte order mark',
  'gzip',
  'gzip in name only',
  'brotli in name only',
  'spaces around',
  'more behind',
  'cut off',
  'a doubled header',
  'many headers',
  'folded header',
  'no credentials',
  'wrong credentials',
] as const;

/** These leave the meaning of the body alone, so that the verdict is about its JSON. */
export const plainDresses: ReadonlySet<Dress> = new Set<Dress>([
  'plain',
  'chunked',
  'chunked byte by byte',
  'chunks with extensions and trailers',
  'spaces around',
  'many headers',
]);

/** There are many forms, and records matter most. */
const weights = { record: 4, batch: 2, question: 2, form: 1 };

/** Valid requests, to compare the others with. */
export const harmlessCases = (targets: readonly Target[]): fc.Arbitrary<FuzzCase> =>
  someTarget(targets).map((target) => {
    const json = writeHostile(target.valid, []);
    return { target, json, dress: 'plain', bytes: toRequest(target, json, 'plain') };
  });

function someTarget(targets: readonly Target[]): fc.Arbitrary<Target> {
  const weighted = (['record', 'batch', 'question', 'form'] as const)
    .map((name) => ({ weight: weights[name], of: targets.filter(({ family }) => family === name) }))
    .filter(({ of }) => of.length > 0)
    .map(({ weight, of }) => ({ weight, arbitrary: fc.constantFrom(...of) }));
  return fc.oneof(...weighted);
}

export function fuzzCases(targets: readonly Target[]): fc.Arbitrary<FuzzCase> {
  return fc
    .record({
      target: someTarget(targets),
      changes: fc.oneof(
        { arbitrary: fc.array(change, { minLength: 1, maxLength: 1 }), weight: 5 },
        { arbitrary: fc.array(change, { minLength: 2, maxLength: 5 }), weight: 2 },
        { arbitrary: fc.constant([]), weight: 1 },
      ),
      dress: fc.oneof(
        { arbitrary: fc.constant<Dress>('plain'), weight: 3 },
        { arbitrary: fc.constantFrom(...dresses), weight: 1 },
      ),
    })
    .map(({ target, changes, dress }) => {
      const json = writeHostile(target.valid, changes);
      return { target, json, dress, bytes: toRequest(target, json, dress) };
    });
}

const chunk = (bytes: Buffer, more = '') =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}${more}\r\n`), bytes, Buffer.from('\r\n')]);

function wear(dress: Dress, headers: Record<string, string>, body: Buffer): Dressed {
  const chunked = { ...headers, 'Transfer-Encoding': 'chunked' };
  const sized = (sent: Buffer, more: Record<string, string> = {}): Dressed => ({
    headers: { ...headers, 'Content-Length': String(sent.length), ...more },
    body: sent,
  });
  switch (dress) {
    case 'chunked':
      return {
        headers: chunked,
        body: Buffer.concat([...(body.length > 0 ? [chunk(body)] : []), Buffer.from('0\r\n\r\n')]),
      };
    case 'chunked byte by byte': {
      const parts = Array.from(body.subarray(0, 400), (byte) => chunk(Buffer.of(byte)));
      if (body.length > 400) parts.push(chunk(body.subarray(400)));
      return { headers: chunked, body: Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]) };
    }
    case 'chunks with extensions and trailers':
      return {
        headers: { ...chunked, Trailer: 'X-Sum' },
        body: Buffer.concat([
          ...(body.length > 0 ? [chunk(body, ';a=b;c="d;e"')] : []),
          Buffer.from('0;last\r\nX-Sum: 1\r\n\r\n'),
        ]),
      };
    case 'another type':
      return sized(body, { 'Content-Type': 'multipart/form-data; boundary=x' });
    case 'no type': {
      const { 'Content-Type': _, ...rest } = headers;
      return { headers: { ...rest, 'Content-Length': String(body.length) }, body };
    }
    case 'a charset':
      return sized(body, { 'Content-Type': 'application/json; charset=iso-8859-1' });
    case 'UTF-16':
      return sized(Buffer.from(`\ufeff${body.toString()}`, 'utf16le'));
    case 'a byte order mark':
      return sized(Buffer.concat([Buffer.from('\ufeff'), body]));
    case 'gzip':
      return sized(gzipSync(body), { 'Content-Encoding': 'gzip' });
    case 'gzip in name only':
      return sized(body, { 'Content-Encoding': 'gzip' });
    case 'brotli in name only':
      return sized(body, { 'Content-Encoding': 'br' });
    case 'spaces around':
      return sized(Buffer.concat([Buffer.from('\r\n\t '), body, Buffer.from(' \n')]));
    case 'more behind':
      return sized(Buffer.concat([body, Buffer.from('{}')]));
    case 'cut off':
      return sized(body.subarray(0, Math.max(0, body.length - 3)));
    case 'many headers':
      return sized(
        body,
        Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`X-${index}`, 'a'.repeat(40)])),
      );
    case 'folded header':
      return sized(body, { 'X-Folded': 'a\r\n b' });
    case 'a doubled header':
      return sized(body, { 'content-type': 'text/plain' });
    case 'no credentials':
    case 'wrong credentials': {
      const kept = Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name));
      const wrong = dress === 'no credentials' ? {} : { Authorization: `Bearer tsr_${'A'.repeat(43)}` };
      return {
        headers: { ...Object.fromEntries(kept), ...wrong, 'Content-Length': String(body.length) },
        body,
      };
    }
    default:
      return sized(body);
  }
}

function toRequest({ method, path, headers }: Target, { text }: HostileJson, dress: Dress): Buffer {
  const worn = wear(dress, { 'Content-Type': 'application/json', ...headers }, text);
  const lines = Object.entries({ Host: 'localhost', ...worn.headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), worn.body]);
}
