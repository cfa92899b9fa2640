import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { maxBodyBytes } from '@trackside/contract/tracking/body-sizes.ts';
import fc from 'fast-check';
import { times } from '../../../../test/support/long-form.ts';
import { trackedKind } from '../tracking-handler.ts';
import { readTrackingHeaders } from '../tracking-headers.ts';
import { readPlainRequest } from './plain-http.ts';

const fields = ['Host: a.test', 'Authorization: key', 'Content-Type: application/json', 'Content-Length: 2'];
const text = (lines: string[], line = 'POST /api/page-view HTTP/1.1') =>
  [line, ...lines, '', '{}'].join('\r\n');
const read = (request: string) => readPlainRequest(Buffer.from(request, 'latin1'));

test('reads what clients usually send, in any order and case', () => {
  const plain = text(fields);
  const bodyStart = plain.indexOf('{}');
  const expected = {
    kind: 'page_view',
    authorization: 'key',
    idempotencyKey: undefined,
    attempt: undefined,
    sequence: undefined,
    release: undefined,
    bodyStart,
    end: bodyStart + 2,
  };
  assert.deepEqual(read(plain), expected);
  assert.deepEqual(read(text(fields.toReversed())), expected);
  assert.deepEqual(read(text(fields.map((field) => field.toLowerCase()))), expected);
  const more = read(
    text([...fields, 'Connection: Keep-Alive', 'Proxy-Connection: keep-alive', 'X-Empty:', 'Accept: */*']),
  );
  assert.equal(more?.authorization, 'key');
  assert.equal(read(text(fields, 'POST /api/event-view HTTP/1.1'))?.kind, 'event');
  for (const [field, key] of [
    ['Idempotency-Key: 8a6e0804-2bd0-4672-b79d-d97027f9071a', '8a6e0804-2bd0-4672-b79d-d97027f9071a'],
    ['idempotency-key:  two words ', 'two words'],
    ['IDEMPOTENCY-KEY:', ''],
    ['Idempotency-Kez: x', undefined],
    ['Accept-Encoding: gzip', undefined],
  ] as const)
    assert.equal(read(text([field, ...fields]))?.idempotencyKey, key);
  assert.equal(read(text(['trackside-Attempt: 1', ...fields]))?.attempt, '1');
  assert.equal(read(text(['Trackside-Attempt: 1', 'Trackside-Attempt: 2', ...fields])), undefined);
  const noted = read(text(['trackside-sequence: web-1.7', 'Trackside-Release:  1.42 (beta)', ...fields]));
  assert.deepEqual([noted?.sequence, noted?.release], ['web-1.7', '1.42 (beta)']);
  for (const twice of ['Trackside-Sequence: a.1', 'Trackside-Release: 1'])
    assert.equal(read(text([twice, twice, ...fields])), undefined);
});

test('reads the head of a request whose body has yet to arrive, or is followed by more', () => {
  const long = text(fields.with(3, 'Content-Length: 5000'));
  assert.equal(read(long)?.end, long.indexOf('{}') + 5000);
  const end = text(fields).length;
  assert.equal(read(`${text(fields)}POST `)?.end, end);
});

test('leaves everything else to Node', () => {
  const others = [
    '',
    'POST /api/page-view HTTP/1.1\r\nHost',
    text(fields, 'GET /api/page-view HTTP/1.1'),
    text(fields, 'POST /api/page-view?a HTTP/1.1'),
    text(fields, 'POST /api/page-view HTTP/1.0'),
    text(fields, 'POST /health HTTP/1.1'),
    text(fields, 'post /api/page-view HTTP/1.1'),
    text(fields.toSpliced(1, 1)),
    text(fields.toSpliced(3, 1)),
    text([...fields, 'Authorization: other']),
    text([...fields, 'Content-Length: 2']),
    text(['Idempotency-Key: a', ...fields, 'idempotency-key: a']),
    text(['Idempotency-Key:', ...fields, 'Idempotency-Key: a']),
    text([...fields, 'Idempotency-Key: a\tb']),
    text([...fields, 'Idempotency-Key: \u00e9']),
    ...['-1', '+2', '0x2', '2, 2', '', '2 2', String(maxBodyBytes + 1), '00000002'].map((length) =>
      text(fields.with(3, `Content-Length: ${length}`)),
    ),
    ...['Transfer-Encoding: chunked', 'transfer-encoding: x', 'Content-Encoding: gzip'].map((field) =>
      text([...fields, field]),
    ),
    ...['Expect: 100-continue', 'Upgrade: h2c', 'Connection: close', 'Connection: keep-alive, Upgrade'].map(
      (field) => text([...fields, field]),
    ),
    ...['Proxy-Connection: close', 'proxy-connection: Close', 'Proxy-Connection: keep-alive, x'].map(
      (field) => text([...fields, field]),
    ),
    ...[
      'TE: trailers',
      'Trailer: X',
      ' folded: line',
      'No colon',
      'Spaced : name',
      ': none',
      'X: \u0001',
    ].map((field) => text([...fields, field])),
    text([...fields, 'X: a\nTransfer-Encoding: chunked']),
    text([...fields, 'X: a\rTransfer-Encoding: chunked']),
    text([...fields, 'X: \u00e9']),
    text(fields).replaceAll('\r\n', '\n'),
    text([...fields, `X: ${'a'.repeat(9000)}`]),
  ];
  for (const other of others) assert.equal(read(other), undefined, JSON.stringify(other.slice(0, 300)));
});

test('reads nothing differently than Node does', async () => {
  const interesting = [
    '\r\n',
    '\r',
    '\n',
    ' ',
    '\t',
    ':',
    ',',
    '\0',
    '\u00ff',
    '0',
    'chunked',
    '\r\n\r\n',
    ' HTTP/1.1',
  ];
  const names = [
    'Transfer-Encoding: chunked',
    'Content-Length: 1',
    'Authorization: b',
    'Connection: close',
    'Idempotency-Key: b',
    'Proxy-Connection: close',
    'Proxy-Connection: keep-alive',
    'Proxy-Connection: keep-alive, close',
    'Connection: Keep-Alive',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'X: y',
  ];
  const change = fc.record({
    at: fc.nat(200),
    remove: fc.nat(3),
    insert: fc.oneof(
      fc.constantFrom(...interesting, ...names.map((name) => `\r\n${name}`)),
      fc.string({ maxLength: 2 }),
    ),
  });
  const runs = times(600, 3000);
  let readByBoth = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 2 }), fc.boolean(), async (changes, hasKey) => {
      let request = text(hasKey ? ['Idempotency-Key: once', ...fields] : fields);
      for (const { at, remove, insert } of changes)
        request = request.slice(0, at) + insert + request.slice(at + remove);
      const plain = read(request);
      if (plain === undefined) return;
      readByBoth += 1;
      const bytes = Buffer.from(request, 'latin1');
      const body = bytes.subarray(plain.bodyStart, plain.end);
      if (body.length < plain.end - plain.bodyStart) return;
      assert.deepEqual(await readByNode(bytes.subarray(0, plain.end)), {
        kind: plain.kind,
        authorization: plain.authorization,
        idempotencyKey: plain.idempotencyKey,
        // The fast lane keeps every connection, and no request in it switches protocols.
        isKept: true,
        isUpgrade: false,
        body: body.toString('latin1'),
      });
    }),
    { numRuns: runs },
  );
  assert.ok(readByBoth > runs / 10, `only ${readByBoth} requests were read by both`);
});

/** Reads the first request in these bytes with Node's own parser. */
function readByNode(bytes: Buffer): Promise<unknown> {
  return new Promise((resolve) => {
    const server = createServer({ requireHostHeader: false }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { authorization, idempotencyKey } = readTrackingHeaders(request.rawHeaders);
        assert.equal(authorization, request.headers.authorization);
        resolve({
          kind: trackedKind(request.url ?? ''),
          authorization,
          idempotencyKey,
          isKept: response.shouldKeepAlive,
          isUpgrade: request.headers.upgrade !== undefined,
          body: Buffer.concat(chunks).toString('latin1'),
        });
        response.destroy();
      });
    });
    server.on('clientError', (error) => resolve(error.message));
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    server.emit('connection', socket);
    socket.push(bytes);
  });
}
