import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createClient } from '@clickhouse/client';
import { runHere } from './support/run-here.ts';
import {
  basic,
  type EngineService,
  enginePassword,
  engineUser,
  startEngineService,
} from './support/start-engine-service.ts';
import { waitFor } from './support/wait-for.ts';

const cleanUps: (() => Promise<void>)[] = [];
let service: EngineService;
/** How long the start takes on this machine. */
let startedInMs: number;

before(async () => {
  const beganMs = performance.now();
  service = await startEngineService({ after: (cleanUp) => void cleanUps.push(cleanUp) });
  startedInMs = performance.now() - beganMs;
});
after(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

test("answers ClickHouse's own client, which sends the user and the password", async (t) => {
  const client = createClient({ url: service.origin(), username: engineUser, password: enginePassword });
  t.after(() => client.close());
  const answer = await client.query({ query: 'select 40 + {two:UInt8} as sum', query_params: { two: 2 } });
  assert.deepEqual((await answer.json()).data, [{ sum: 42 }]);
  assert.equal((await client.ping({ select: false })).success, true);
});

test('takes the credentials in headers too, and refuses any others on every path', async () => {
  const inHeaders = { 'X-ClickHouse-User': engineUser, 'X-ClickHouse-Key': 'only ASCII fits here' };
  assert.equal((await service.ask('select 1', inHeaders)).status, 401);
  const wrong: Record<string, string>[] = [
    {},
    basic(engineUser, ''),
    basic(engineUser, `${enginePassword} `),
    basic('default', enginePassword),
    basic(`${engineUser}:a`, ' pass:word of the engine ü'),
    { Authorization: 'Basic ====' },
    { Authorization: 'Bearer x' },
    { 'X-ClickHouse-User': engineUser },
  ];
  for (const headers of wrong) {
    const answer = await service.ask('select 1', headers);
    assert.equal(answer.status, 401, JSON.stringify(headers));
    assert.equal(answer.headers.get('x-clickhouse-exception-code'), '516');
    assert.match(await answer.text(), /^Code: 516\. DB::Exception: .*\(AUTHENTICATION_FAILED\)\n$/);
    const { status } = await fetch(`${service.origin()}/ping`, { headers });
    assert.equal(status, 401);
  }
  assert.ok(!service.output.join('').includes(enginePassword));
});

test('refuses what a web page in a browser on this machine would send', async () => {
  const headers = { ...basic(engineUser, enginePassword), Origin: 'https://example.com' };
  const { status } = await service.ask('drop database default', headers);
  assert.equal(status, 403);
});

test('refuses a body that is too long, whether its length is announced or not', async () => {
  const headers = basic(engineUser, enginePassword);
  const send = async (announced: Record<string, string>, chunks: number) => {
    const request = httpRequest(`${service.origin()}/`, {
      method: 'POST',
      headers: { ...headers, ...announced },
    });
    // The service may hang up while the rest is still being sent.
    request.on('error', () => {});
    const answered = once(request, 'response');
    request.flushHeaders();
    for (let sent = 0; sent < chunks; sent += 1) request.write(Buffer.alloc(2 ** 20, ' '));
    const [response] = await answered;
    request.destroy();
    return response.statusCode;
  };
  assert.equal(await send({ 'Content-Length': String(33 * 2 ** 20) }, 0), 413);
  assert.equal(await send({ 'Transfer-Encoding': 'chunked' }, 34), 413);
});

test('hangs up on a client that does not finish its request', { timeout: 1_800_000 }, async () => {
  const { hostname, port } = new URL(service.origin());
  const silent = connect(Number(port), hostname);
  const slow = connect(Number(port), hostname);
  slow.write('POST / HTTP/1.1\r\nHost: engine\r\nX-Endless: ');
  for (const socket of [silent, slow]) socket.on('error', () => {}).resume();
  await Promise.all([once(silent, 'close'), once(slow, 'close')]);
});

test('hides the password from other users of the machine, and from the process with the data', () => {
  const [engine] = service.enginePids();
  for (const pid of [service.pid(), engine]) {
    assert.ok(!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pass:word'));
  }
  assert.ok(!readFileSync(`/proc/${engine}/environ`, 'utf8').includes('pass:word'));
});

test('restarts a killed engine, and says so in the meantime', async () => {
  await service.ask('create table default.kept (a UInt8) engine = MergeTree order by a');
  await service.ask('insert into default.kept select 7');
  const [killed] = service.enginePids();
  process.kill(killed!, 'SIGKILL');
  await waitFor('a refusal', async () => {
    const answer = await service.ask('select 1').catch(() => undefined);
    if (answer?.status !== 503) return false;
    assert.match(await answer.text(), /^Code: 210\. DB::Exception: the engine is not ready: restarting/);
    return true;
  });
  await service.untilReady();
  assert.equal(await (await service.ask('select a from default.kept')).text(), '7\n');
});

test('a statement that is killed by its comment has ended when the answer comes', async () => {
  const slow = 'create table default.slow (a UInt8, b UInt8 materialized sleepEachRow(0.3)) engine = Memory';
  await service.ask(slow);
  const query = 'insert into default.slow (a) format JSONCompactEachRow';
  const parameters = new URLSearchParams({ query, log_comment: 'node-1-x' });
  const running = `select count() from system.processes where Settings['log_comment'] = 'node-1-x'`;
  const count = async () => Number(await (await service.ask(running)).text());
  // Again if it has ended by itself, because the machine is busy.
  await waitFor('one that is killed', async () => {
    await service.ask('truncate table default.slow');
    let status: number | undefined;
    const inserted = fetch(`${service.origin()}/?${parameters}`, {
      method: 'POST',
      body: '[1]\n[2]\n[3]\n[4]\n[5]\n[6]\n[7]\n[8]\n[9]\n',
      headers: basic(engineUser, enginePassword),
    }).then((answer) => {
      status = answer.status;
    });
    await waitFor('the INSERT to run', async () => (await count()) === 1 || status !== undefined);
    await service.ask(`kill query where Settings['log_comment'] = 'node-1-x' sync`);
    assert.equal(await count(), 0);
    await inserted;
    return status === 500;
  });
  assert.equal(await (await service.ask('select count() from default.slow')).text(), '0\n');
});

test('refuses to start where it could do harm, with one line that says what to do', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-service-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const start = async (words: string[], environment: Record<string, string> = {}) => {
    const { code, stderr } = await runHere(['engine', ...words], environment);
    assert.equal(code, 1);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    return stderr;
  };
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com']) {
    const said = await start(['--host', host, '--data-dir', folder]);
    assert.match(said, /without a password, .* Set TRACKSIDE_ENGINE_PASSWORD/);
  }
  const { port } = new URL(service.origin());
  assert.match(await start(['--port', port, '--data-dir', folder]), /is already in use/);
  const inUse = await start(['--port', '0', '--data-dir', service.dataDir]);
  assert.match(inUse, /another server or engine is running on this folder/);
  const server = await runHere(['serve', '--port', '0', '--data-dir', service.dataDir], {});
  assert.equal(server.code, 1);
  assert.match(server.stderr, /another server is running on this folder/);
});

test('SIGTERM lets a statement in progress end, and takes no more', async () => {
  let hasEnded = false;
  const begin = async () => {
    hasEnded = false;
    const response = await service.ask('select sleep(2)');
    hasEnded = true;
    return response;
  };
  let answer = begin();
  await waitFor('the statement to run', async () => {
    const running = `select count() from system.processes where query like '%sleep(2)%' and query not like '%system%'`;
    if ((await (await service.ask(running)).text()) === '1\n') return true;
    // On a busy machine, it may end unseen.
    if (hasEnded) answer = begin();
    return false;
  });
  const ended = service.end('SIGTERM');
  await waitFor('the port to close', () =>
    service.ask('select 1').then(
      () => false,
      () => true,
    ),
  );
  assert.equal(await (await answer).text(), '0\n');
  const answeredMs = performance.now();
  assert.equal(await ended, 0);
  const tookMs = performance.now() - answeredMs;
  assert.ok(tookMs < 4_000 + startedInMs, `it ends when nobody is waiting anymore, not after ${tookMs} ms`);
});
