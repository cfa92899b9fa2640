import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openRaw, type RawAnswer, requestText, sendRaw } from './support/raw-connection.ts';
import { event, pageView, post } from './support/records.ts';
import { useTracksideHereOfProcess } from './support/share-trackside.ts';
import type { TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

let trackside: TracksideHere;
let origin: string;
let apiKey: string;
let limitedKey: string;

const body = JSON.stringify(pageView());
const path = '/api/page-view';

/** Returns a tracking request as text. */
const track = (headers: Record<string, string>, sent = body) => requestText('POST', path, headers, sent);
const valid = () => track({ Authorization: apiKey });

const startShared = useTracksideHereOfProcess();
before(async () => {
  trackside = await startShared();
  origin = trackside.origin();
  ({ apiKey } = await trackside.addWebsite('http.test'));
  ({ apiKey: limitedKey } = await trackside.addWebsite('http-limited.test', 2));
  await waitFor('the server to know the websites', async () => {
    const [one, other] = await Promise.all([apiKey, limitedKey].map((key) => post(origin, path, key, {})));
    return one?.status === 400 && other?.status === 400;
  });
});

/** Checks that the body has exactly the documented members, and that its Code is the status. */
function assertShape(answer: RawAnswer | undefined, status: number): RawAnswer {
  assert.ok(answer, 'expected an answer');
  assert.equal(answer.status, status, answer.body);
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
  const parsed = JSON.parse(answer.body);
  assert.deepEqual(Object.keys(parsed), ['Code', 'Message']);
  assert.equal(parsed.Code, status);
  assert.ok(typeof parsed.Message === 'string' && parsed.Message !== '');
  return answer;
}

/** Sends bytes and returns all answers that come before the server closes the connection. */
async function untilClosed(bytes: string, options: { isFinished?: boolean } = {}): Promise<RawAnswer[]> {
  const connection = await openRaw(origin);
  connection.send(bytes);
  if (options.isFinished) connection.finish();
  try {
    return await connection.untilClosed();
  } finally {
    connection.destroy();
  }
}

const statusesOf = (answers: RawAnswer[]) => answers.map(({ status }) => status);

test('keeps the connection after a refused record with a body', async () => {
  const connection = await openRaw(origin);
  connection.send(track({ Authorization: 'wrong' }));
  connection.send(track({ Authorization: apiKey }, '{"Metrics":'));
  connection.send(requestText('GET', path));
  connection.send(requestText('GET', '/nowhere', {}, body));
  connection.send(valid());
  const answers = await connection.untilAnswers(5);
  assert.ok(connection.isOpen());
  connection.destroy();
  for (const [index, status] of [401, 400, 405, 404, 200].entries()) assertShape(answers[index], status);
});

test('asks for the body of an expected record only if it will read it', async (t) => {
  const expecting = (headers: Record<string, string>) =>
    requestText('POST', path, { Expect: '100-continue', ...headers });
  await t.test('accepts it', async () => {
    const connection = await openRaw(origin);
    connection.send(expecting({ Authorization: apiKey, 'Content-Length': String(body.length) }));
    assert.deepEqual(statusesOf(await connection.untilAnswers(1)), [100]);
    connection.send(body);
    assertShape((await connection.untilAnswers(2))[1], 200);
    connection.destroy();
  });
  await t.test('refuses a wrong key without asking', async () => {
    const answers = await untilClosed(expecting({ Authorization: 'x', 'Content-Length': '10' }));
    assert.deepEqual(statusesOf(answers), [401]);
  });
  await t.test('refuses a length that is too large without asking', async () => {
    const answers = await untilClosed(expecting({ Authorization: apiKey, 'Content-Length': '524289' }));
    assert.deepEqual(statusesOf(answers), [400]);
    assert.match(assertShape(answers[0], 400).body, /at most 524288 bytes/);
  });
  await t.test('sends no interim answer to HTTP/1.0', async () => {
    const headers = { Authorization: apiKey, 'Content-Length': String(body.length) };
    const answers = await untilClosed(`${expecting(headers).replace('HTTP/1.1', 'HTTP/1.0')}${body}`);
    assert.deepEqual(statusesOf(answers), [200]);
  });
});

test('reads chunked bodies, even byte by byte, and gzip', async () => {
  const head = requestText('POST', path, { Authorization: apiKey, 'Transfer-Encoding': 'chunked' });
  const chunks = [...body].map((letter) => `1;ext="a"\r\n${letter}\r\n`);
  assertShape(await sendRaw(origin, `${head}${chunks.join('')}0\r\nTrailer: x\r\n\r\n`), 200);

  const zipped = gzipSync(body);
  const headers = {
    Authorization: apiKey,
    'Content-Encoding': 'GZIP',
    'Content-Length': String(zipped.length),
  };
  assertShape(
    await sendRaw(origin, Buffer.concat([Buffer.from(requestText('POST', path, headers)), zipped])),
    200,
  );
  const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
  const bombHeaders = { ...headers, 'Content-Length': String(bomb.length) };
  const answer = await sendRaw(
    origin,
    Buffer.concat([Buffer.from(requestText('POST', path, bombHeaders)), bomb]),
  );
  assert.match(assertShape(answer, 400).body, /at most 524288 bytes/);
});

test('tells a client that is still sending 100 MB that this is too much, and closes', async (t) => {
  const announced = {
    'with its length': { 'Content-Length': '100000000' },
    'in chunks': { 'Transfer-Encoding': 'chunked' },
  };
  for (const [name, framing] of Object.entries(announced)) {
    await t.test(name, async () => {
      const connection = await openRaw(origin);
      const { socket } = connection;
      const isChunked = name === 'in chunks';
      const block = 'a'.repeat(0x10000);
      connection.send(requestText('POST', path, { Authorization: apiKey, ...framing }));
      let sent = 0;
      let sentAtAnswer: number | undefined;
      const closed = once(socket, 'close').catch(() => {});
      socket.once('data', () => {
        sentAtAnswer = sent;
      });
      while (socket.writable && connection.isOpen() && sent < 100_000_000) {
        sent += block.length;
        const hasRoom = socket.write(isChunked ? `10000\r\n${block}\r\n` : block);
        // Without this turn of the event loop, the client would never notice an answer.
        if (hasRoom) await new Promise(setImmediate);
        else await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
      }
      const answers = await connection.untilClosed();
      connection.destroy();
      assert.deepEqual(statusesOf(answers), [400]);
      assert.equal(assertShape(answers[0], 400).headers.connection, 'close');
      assert.ok(sentAtAnswer !== undefined && sentAtAnswer < 50_000_000, `answered at ${sentAtAnswer}`);
      assert.ok(sent < 100_000_000, 'expected the connection to close before all was sent');
    });
  }
});

test('answers pipelined requests in order', async (t) => {
  await t.test('all kinds of them', async () => {
    const requests = [
      valid(),
      track({}),
      requestText('GET', '/nowhere'),
      valid(),
      track({ Authorization: apiKey }, '[]'),
    ];
    const answers = await untilClosed(requests.join(''), { isFinished: true });
    assert.deepEqual(statusesOf(answers), [200, 401, 404, 200, 400]);
  });
  await t.test('a valid one before garbage', async () => {
    const answers = await untilClosed(`${valid()}garbage\r\n\r\n`);
    assert.deepEqual(statusesOf(answers), [200, 400]);
    assertShape(answers[1], 400);
  });
  await t.test('a valid one before CONNECT', async () => {
    const answers = await untilClosed(`${valid()}CONNECT a.test:443 HTTP/1.1\r\nHost: a\r\n\r\n`);
    assert.deepEqual(statusesOf(answers), [200, 405]);
  });
  await t.test('a valid one before one that is cut off', async () => {
    const cut = track({ Authorization: apiKey, 'Content-Length': '5000' });
    assert.deepEqual(statusesOf(await untilClosed(`${valid()}${cut}`, { isFinished: true })), [200, 400]);
  });
});

test('accepts nothing that comes behind an answer that ends the connection', async () => {
  const accepted = async () => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    const kinds = [...text.matchAll(/^trackside_records_accepted_total\{[^}]*\} (\d+)$/gm)];
    return kinds.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const tooLarge = ' '.repeat(600_000);
  const chunked = requestText(
    'POST',
    path,
    { Authorization: apiKey, 'Transfer-Encoding': 'chunked' },
    `${tooLarge.length.toString(16)}\r\n${tooLarge}\r\n0\r\n\r\n`,
  );
  const question = requestText('POST', '/api/stats/query', { Authorization: 'Bearer tsr_a' }, tooLarge);
  for (const first of [track({ Authorization: apiKey }, tooLarge), chunked, question]) {
    const before = await accepted();
    const answers = await untilClosed(`${first}${valid()}${valid()}`);
    assert.deepEqual(statusesOf(answers), [first === question ? 413 : 400]);
    assert.equal(answers[0]!.headers.connection, 'close');
    // Whatever was accepted is counted before this one, which comes later.
    assert.deepEqual(statusesOf(await untilClosed(valid(), { isFinished: true })), [200]);
    assert.equal(await accepted(), before + 1);
  }
});

test('answers a client that has closed its side', async () => {
  assert.deepEqual(statusesOf(await untilClosed(valid(), { isFinished: true })), [200]);
  const health = await untilClosed(requestText('GET', '/health'), { isFinished: true });
  assert.deepEqual(statusesOf(health), [200]);
});

test('answers a truncated request with one 400', async () => {
  const cut = [
    track({ Authorization: apiKey, 'Content-Length': '5000' }),
    requestText('POST', path, { Authorization: apiKey, 'Transfer-Encoding': 'chunked' }, '5\r\nabc'),
    'POST /api/page-view HTTP/1.1\r\nAutho',
    'G',
  ];
  for (const text of cut) {
    const answers = await untilClosed(text, { isFinished: true });
    assert.deepEqual(statusesOf(answers), [400], text.slice(0, 40));
    assert.match(assertShape(answers[0], 400).body, /ends early/);
  }
  const refused = track({ Authorization: 'wrong', 'Content-Length': '5000' });
  assert.deepEqual(statusesOf(await untilClosed(refused, { isFinished: true })), [401]);
});

test('answers anything but HTTP/1.1 with 400 and closes', async (t) => {
  const clientHello = Buffer.concat([Buffer.from('16030100c8010000c40303', 'hex'), Buffer.alloc(200, 0xab)]);
  const wrong: Record<string, string> = {
    'the HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
    'a TLS hello': clientHello.toString('latin1'),
    'an unknown method': requestText('BREW', path),
    'a NUL in the path': requestText('GET', '/a\0b'),
    'a space in the path': requestText('GET', '/a b'),
    'headers of 20 KB': track({ 'X-Large': 'a'.repeat(20_000) }),
    'two lengths': track({ Authorization: apiKey, 'Content-Length': '5\r\nContent-Length: 6' }),
    'the same length twice': track({ Authorization: apiKey, 'Content-Length': '5\r\nContent-Length: 5' }),
    'a length that is no number': track({ Authorization: apiKey, 'Content-Length': '0x10' }),
    'a negative length': track({ Authorization: apiKey, 'Content-Length': '-1' }),
    'a header name with a space': track({ 'Authorization ': apiKey }),
    'a bare line feed in a header': track({ Authorization: apiKey, 'X-A': 'a\nTransfer-Encoding: chunked' }),
    'a broken chunk': requestText(
      'POST',
      path,
      { Authorization: apiKey, 'Transfer-Encoding': 'chunked' },
      'zz\r\n',
    ),
    'a chunk that is longer than it says': requestText(
      'POST',
      path,
      { Authorization: apiKey, 'Transfer-Encoding': 'chunked' },
      '2\r\n{}zzz\r\n',
    ),
  };
  for (const [name, text] of Object.entries(wrong)) {
    await t.test(name, async () => {
      const connection = await openRaw(origin);
      connection.send(Buffer.from(text, 'latin1'));
      const answers = await connection.untilClosed();
      connection.destroy();
      assert.deepEqual(statusesOf(answers), [400]);
      assert.equal(assertShape(answers[0], 400).headers.connection, 'close');
    });
  }
});

test('never gives two answers to a request with an ambiguous length', async (t) => {
  const smuggled = `${requestText('GET', '/health')}`;
  const lengths: Record<string, string> = {
    'CL.TE': `Content-Length: ${smuggled.length + 5}\r\nTransfer-Encoding: chunked`,
    'TE.CL': 'Transfer-Encoding: chunked\r\nContent-Length: 4',
    'TE twice': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: 5',
    'TE hidden': 'Transfer-Encoding: xchunked\r\nContent-Length: 5',
    'TE spaced': 'Transfer-Encoding : chunked\r\nContent-Length: 5',
    'TE then more': 'Transfer-Encoding: chunked, identity',
  };
  for (const [name, headers] of Object.entries(lengths)) {
    await t.test(name, async () => {
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${apiKey}\r\n${headers}\r\n\r\n`;
      assert.deepEqual(statusesOf(await untilClosed(`${head}0\r\n\r\n${smuggled}`)), [400]);
    });
  }
});

test('survives a client that resets a refused CONNECT', async () => {
  for (const text of [
    'CONNECT a.test:443 HTTP/1.1\r\nHost: a\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\nContent-Length: 9\r\n\r\n',
  ]) {
    const connection = await openRaw(origin);
    connection.send(text);
    assert.equal(assertShape((await connection.untilAnswers(1))[0], 405).headers.allow, 'GET, POST');
    connection.reset();
    const impatient = await openRaw(origin);
    impatient.send(`${valid()}${text}`);
    impatient.reset();
  }
  for (let count = 0; count < 10; count += 1) assertShape(await sendRaw(origin, valid()), 200);
});

test('answers other methods with 405 and Allow where something exists, otherwise with 404', async () => {
  for (const method of ['OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PURGE', 'PROPFIND', 'QUERY', 'M-SEARCH']) {
    for (const tracked of [path, '/api/event-view']) {
      assert.equal(
        assertShape(await sendRaw(origin, requestText(method, tracked)), 405).headers.allow,
        'POST',
      );
    }
    for (const known of ['/health', '/metrics?a=b', '/']) {
      assert.equal(assertShape(await sendRaw(origin, requestText(method, known)), 405).headers.allow, 'GET');
    }
    for (const unknown of ['/nowhere', '*'])
      assertShape(await sendRaw(origin, requestText(method, unknown)), 404);
  }
  const head = await sendRaw(origin, requestText('HEAD', path), { isHead: true });
  assert.deepEqual([head?.status, head?.headers.allow], [405, 'POST']);
  assert.equal((await sendRaw(origin, requestText('HEAD', '/health'), { isHead: true }))?.status, 200);
});

test('finds nothing at any other path, whatever is sent there', async () => {
  const types = ['application/json', 'garbage', '', '/', 'text/plain; charset=%%', 'multipart/form-data'];
  for (const type of types) {
    assertShape(await sendRaw(origin, requestText('POST', '/nowhere', { 'Content-Type': type }, body)), 404);
    assertShape(await sendRaw(origin, requestText('POST', '/health', { 'Content-Type': type }, body)), 405);
  }
  const paths = ['/%zz', '//api/page-view', '/api/page-view/', '/api/../health', '/%00', '/api/page-view%00'];
  for (const wrong of [...paths, `/${'a'.repeat(8192)}`, '/__proto__', '/API/PAGE-VIEW', '/api/page-view#a'])
    assertShape(await sendRaw(origin, requestText('POST', wrong, { Authorization: apiKey }, body)), 404);
  assert.doesNotMatch(trackside.output(), /a request failed/);
});

test('serves HTTP/1.0, and HTTP/1.1 without a Host', async () => {
  const headers = `Authorization: ${apiKey}\r\nContent-Length: ${body.length}`;
  const answers = await untilClosed(`POST ${path} HTTP/1.0\r\n${headers}\r\n\r\n${body}`);
  assert.deepEqual(statusesOf(answers), [200]);
  assertShape(await sendRaw(origin, `POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`), 200);
});

test('reports the allowance of a limited website, and until when it is used up', async () => {
  const monthEnd = () => {
    const now = new Date();
    return (Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000;
  };
  const before = monthEnd();
  const sent = [
    await post(origin, path, limitedKey, pageView()),
    await post(origin, '/api/event-view', limitedKey, event('Signup', [])),
    await post(origin, path, limitedKey, pageView()),
    await post(origin, path, limitedKey, { Metrics: null }),
  ];
  // The month may have ended in between.
  const [least, most] = [before, monthEnd()].toSorted((one, other) => one - other) as [number, number];
  const assertSoon = (seconds: string | null) =>
    assert.ok(Number(seconds) >= least - 1 && Number(seconds) <= most + 1, `${seconds}`);
  assert.deepEqual(
    sent.map(({ status, headers }) => [
      status,
      headers.get('contingent-limit'),
      headers.get('contingent-remaining'),
    ]),
    [
      [200, '2', '1'],
      [200, '2', '0'],
      [429, '2', '0'],
      [400, '2', '0'],
    ],
  );
  for (const { headers } of sent) assertSoon(headers.get('contingent-reset'));
  assertSoon(sent[2]!.headers.get('retry-after'));
  const unlimited = await post(origin, path, apiKey, pageView());
  assert.deepEqual(
    [...unlimited.headers.keys()].filter((name) => name.startsWith('contingent')),
    [],
  );
});

test('health says that records are accepted, and what is degraded', async () => {
  await waitFor('a node without a complaint', async () => {
    const { degraded } = (await (await fetch(`${origin}/health`)).json()) as { degraded: unknown[] };
    return degraded.length === 0;
  });
  const response = await fetch(`${origin}/health`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const { journal, loader, ...rest } = (await response.json()) as Record<string, object>;
  assert.deepEqual(rest, { code: 200, message: 'Accepting records', degraded: [] });
  assert.deepEqual(Object.keys(journal!), ['oldestUnansweredSeconds']);
  assert.deepEqual(Object.keys(loader!), [
    'lagSeconds',
    'waitingBytes',
    'batchesToCompare',
    'batchesToLoadAgain',
    'recordsToLoadAgain',
  ]);
});

test('metrics has every family, and counts what was answered', async () => {
  const read = async () => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    return (series: string) => Number(new RegExp(`^${RegExp.escape(series)} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const before = await read();
  await post(origin, path, apiKey, pageView());
  await post(origin, '/api/event-view', apiKey, event('Signup', []));
  await post(origin, path, apiKey, {});
  await post(origin, path, 'wrong', {});
  await post(origin, path, limitedKey, pageView());
  const later = await read();
  const grown = {
    'trackside_records_accepted_total{kind="page_view"}': 1,
    'trackside_records_accepted_total{kind="event"}': 1,
    'trackside_records_refused_total{reason="malformed"}': 1,
    'trackside_records_refused_total{reason="unauthorized"}': 1,
    'trackside_records_refused_total{reason="contingent-used-up"}': 1,
    trackside_group_commit_records_sum: 2,
  };
  for (const [series, by] of Object.entries(grown)) assert.equal(later(series) - before(series), by, series);
  assert.ok(later('trackside_journal_bytes') > before('trackside_journal_bytes'));
  assert.ok(later('trackside_journal_sync_seconds_count') > before('trackside_journal_sync_seconds_count'));
  const gauges = [
    'journal_age_seconds',
    'journal_segments',
    'loader_lag_seconds',
    'engine_restarts',
    'engine_ready',
  ];
  for (const name of [...gauges, 'node_resident_bytes', 'event_loop_delay_seconds{quantile="0.99"}'])
    assert.ok(later(`trackside_${name}`) >= 0, name);
});

test('metrics is not available to a visitor behind a proxy', async () => {
  const answer = await sendRaw(origin, requestText('GET', '/metrics', { 'X-Forwarded-For': '203.0.113.7' }));
  assertShape(answer, 401);
});
