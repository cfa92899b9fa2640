/**
 * Measures how much of a bare server's throughput is left when every record is validated, described and on
 * disk before it is answered. All servers take turns in short rounds, because machines are shared: only ratios
 * and processor time are meaningful.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listWorkerFolders } from '../server/src/files/worker-folders.ts';
import { compareInTurns } from './ingest/compare-in-turns.ts';
import { makeBatches } from './ingest/make-batches.ts';
import { makeBodies } from './ingest/make-bodies.ts';
import { measureOpen, measureOverload } from './ingest/measure-open.ts';
import { openTrackside, type Trackside } from './ingest/open-trackside.ts';
import { readMetrics } from './ingest/read-metrics.ts';
import { type HttpRequest, sendByHttp } from './ingest/send-by-http.ts';
import { type LoadResult, sendClosedLoop } from './ingest/send-closed-loop.ts';
import { showComparison } from './ingest/show-comparison.ts';
import { spreadOf } from './ingest/spread.ts';
import { residentMb, startProcess } from './ingest/start-process.ts';
import { sendOpenLoop } from './send-open-loop.ts';
import { readToolOptions } from './tool-options.ts';

const values = readToolOptions({
  command: 'npm run bench:ingest',
  about: 'Compares the server with one that only answers, by turns in one run.',
  options: {
    rounds: { fallback: 7, help: 'turns of each server' },
    records: { fallback: 20_000, help: 'records in each turn' },
    connections: { fallback: 64, help: 'connections that send at the same time' },
    seconds: {
      fallback: 3,
      help: 'of each round at half the peak, and of each round with --open or --overload',
    },
    growth: { fallback: 0, help: 'records to send for the memory figure, such as 2000000; 0 skips it' },
    workers: {
      fallback: '1',
      help: 'processes that take records; 1,2 compares a server with one and one with two',
    },
    'engine-priority': { fallback: 'auto', help: 'auto, low or idle: see docs/operating.md' },
    batch: { fallback: 0, help: 'compare single requests with batches of so many records, such as 500' },
    open: { help: 'instead, send at rates such as 1000,5000 whatever the answers do, and compare the tails' },
    overload: {
      help: 'instead, send far too much, such as 50000 a second, and see how the server comes back',
    },
  },
});
const { rounds, records, seconds, connections, growth, batch } = values;

/** A client with much to send uses a few connections. */
const batchConnections = 4;

const folder = mkdtempSync(join(tmpdir(), 'trackside-bench-'));
const print = (line: string) => process.stdout.write(`${line}\n`);
const bodies = makeBodies(2000);
const environment = { TRACKSIDE_ENGINE_PRIORITY: values['engine-priority'] };

const bare = await startProcess([fileURLToPath(new URL('./ingest/bare-server.ts', import.meta.url))], {});
const servers: Trackside[] = [];
try {
  for (const workers of values.workers.split(','))
    servers.push(await openTrackside(folder, workers, environment));
  await delay(2000);
  await measure();
} finally {
  for (const server of servers) await server.stop();
  await bare.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const bytes = bodies.reduce((sum, { body }) => sum + body.length, 0) / bodies.length;
  print(
    `${rounds} rounds of ${records} records for each server, ${connections} connections, ` +
      `bodies of ${Math.round(bytes)} bytes`,
  );
  print(
    `machine: ${cpus().length} × ${cpus()[0]?.model}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  );
  const idle = servers.map((server) => residentMb(server.pid));
  for (const [at, { name }] of servers.entries()) print(`memory idle, ${name}: ${showMemory(idle[at]!)}`);
  if (values.open !== undefined || values.overload !== undefined) return await measureTails();

  const contestants = [
    {
      name: 'bare server',
      pid: bare.pid,
      run: () => runLoad(bare.origin, servers[0]!.apiKeys),
      settle: async () => {},
    },
    ...servers.map((server) => ({
      name: server.name,
      pid: server.pid,
      run: () => runLoad(server.origin, server.apiKeys),
      settle: server.untilLoaded,
    })),
    ...(batch > 0 ? servers : []).flatMap(({ name, origin, apiKeys, pid, untilLoaded }) =>
      [
        { name: `${name}, in batches of ${batch}`, run: () => runBatches(origin, apiKeys) },
        { name: `${name}, sent by Node's client`, run: () => runLoadByHttp(origin, apiKeys) },
        { name: `${name}, batches sent by Node's client`, run: () => runBatchesByHttp(origin, apiKeys) },
      ].map((contestant) => ({ ...contestant, pid, settle: untilLoaded })),
    ),
  ];
  const names = contestants.map(({ name }) => name);
  const turns = await compareInTurns({
    contestants,
    rounds,
    onRound: (round, ofRound) =>
      print(
        `round ${round + 1}: ${ofRound.map((turn, at) => `${names[at]} ${show(turn)}`).join('; ')}; ` +
          `${ofRound
            .slice(1)
            .map((turn) => (turn.perSecond / ofRound[0]!.perSecond).toFixed(2))
            .join(' and ')} times the bare server`,
      ),
  });
  for (const line of showComparison(names, turns)) print(line);

  for (const [at, server] of servers.entries()) {
    const peak = spreadOf(turns.map((ofRound) => ofRound[at + 1]!.perSecond)).median;
    await measureHalf(server, peak);
    if (growth > 0) await measureGrowth(server, total(idle[at]!));
    await checkRows(server);
  }
}

async function measureTails(): Promise<void> {
  for (const server of servers) {
    const tails = {
      bare,
      trackside: server,
      texts: textsOf(requestsOf(server.apiKeys)),
      rounds,
      seconds,
      print,
    };
    if (values.open !== undefined) await measureOpen({ ...tails, rates: values.open.split(',').map(Number) });
    if (values.overload !== undefined) await measureOverload({ ...tails, rate: Number(values.overload) });
    await checkRows(server);
  }
}

function requestsOf(apiKeys: readonly string[]): HttpRequest[] {
  return bodies.map((body, i) => ({ ...body, apiKey: apiKeys[i % apiKeys.length]! }));
}

/** Returns the requests as they go over the wire. */
function textsOf(requests: readonly HttpRequest[]): string[] {
  return requests.map(
    ({ path, apiKey, body }) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function runLoad(origin: string, apiKeys: readonly string[]): Promise<LoadResult> {
  return sendClosedLoop({ origin, texts: textsOf(requestsOf(apiKeys)), records, connections });
}

function runBatches(origin: string, apiKeys: readonly string[]): Promise<LoadResult> {
  const texts = textsOf(makeBatches(apiKeys, bodies, batch));
  return sendClosedLoop({ origin, texts, records, connections: batchConnections, recordsInText: batch });
}

function runLoadByHttp(origin: string, apiKeys: readonly string[]): Promise<LoadResult> {
  const requests = requestsOf(apiKeys);
  return sendByHttp({ origin, requests, records, connections, recordsInRequest: 1 });
}

function runBatchesByHttp(origin: string, apiKeys: readonly string[]): Promise<LoadResult> {
  const requests = makeBatches(apiKeys, bodies, batch);
  const sent = { records, connections: batchConnections, recordsInRequest: batch };
  return sendByHttp({ origin, requests, ...sent });
}

/** Records from the peak are merged first, because this is about a server that runs at half its rate all day. */
async function measureHalf({ name, origin, apiKeys }: Trackside, peak: number): Promise<void> {
  await delay(5000);
  const before = await readMetrics(origin);
  const texts = textsOf(requestsOf(apiKeys));
  const halves: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { latenciesMs, unanswered } = await sendOpenLoop({
      origin,
      perSecond: peak / 2,
      seconds,
      makeRequest: (at) => texts[at % texts.length]!,
    });
    if (unanswered > 0) throw new Error(`${unanswered} records were not answered at half the peak`);
    halves.push(latenciesMs.toSorted((a, b) => a - b)[Math.ceil(0.99 * latenciesMs.length) - 1]!);
  }
  const syncP99Ms = (await readMetrics(origin)).syncQuantileMs(0.99, before);
  const shownHalves = halves.map((p99Ms) => p99Ms.toFixed(1)).join(', ');
  print(
    `${name}, at half the peak, ${Math.round(peak / 2)}/s: p99 of ${shownHalves} ms, ` +
      `median ${spreadOf(halves).median.toFixed(1)} ms; fsync p99 ${syncP99Ms.toFixed(2)} ms; ` +
      `bound 2 × fsync + 5 ms = ${(2 * syncP99Ms + 5).toFixed(2)} ms`,
  );
}

async function measureGrowth({ name, origin, apiKeys, pid }: Trackside, idleMb: number): Promise<void> {
  const start = (await readMetrics(origin)).accepted;
  let highest = total(residentMb(pid));
  while ((await readMetrics(origin)).accepted - start < growth) {
    await runLoad(origin, apiKeys);
    highest = Math.max(highest, total(residentMb(pid)));
  }
  print(
    `${name}, memory over ${growth} more records: idle ${idleMb.toFixed(0)} MB, ` +
      `highest ${highest.toFixed(0)} MB (${showMemory(residentMb(pid))})`,
  );
}

async function checkRows({ name, store, dataDir, pid, untilLoaded }: Trackside): Promise<void> {
  const { rows, accepted } = await untilLoaded();
  const [parts] = await store.query<{ bytes: string }>({
    query: "select sum(bytes_on_disk) as bytes from system.parts where active and table = 'records'",
  });
  const isEqual = rows === accepted ? 'equal' : 'NOT EQUAL';
  print(`${name}: rows in the store ${rows}, answers with 200 ${accepted}: ${isEqual}`);
  const journals = await listWorkerFolders(dataDir);
  const journalBytes = journals.reduce((sum, { journal }) => sum + folderBytes(journal), 0);
  print(
    `${name}: bytes a record: store ${(Number(parts?.bytes) / rows).toFixed(1)}, ` +
      `journal ${(journalBytes / rows).toFixed(0)} (kept for some hours)`,
  );
  print(`${name}: memory at the end: ${showMemory(residentMb(pid))}`);
  if (rows !== accepted) process.exitCode = 1;
}

function show(result: LoadResult): string {
  const times = `p50 ${result.p50Ms.toFixed(1)} p99 ${result.p99Ms.toFixed(1)} ms`;
  const errors = result.errors > 0 ? `, ${result.errors} ERRORS` : '';
  return `${Math.round(result.perSecond)}/s ${times}${errors}`;
}

function total(processes: { mb: number }[]): number {
  return processes.reduce((sum, { mb }) => sum + mb, 0);
}

function showMemory(processes: { name: string; mb: number }[]): string {
  const each = processes.map(({ name, mb }) => `${name} ${mb.toFixed(0)}`);
  return `${total(processes).toFixed(0)} MB (${each.join(', ')})`;
}

function folderBytes(path: string): number {
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}
