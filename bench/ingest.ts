/**
 * Measures how much of a bare server's throughput is left when every record is validated, described and on
 * disk before it is answered. Both servers run in turn in one session, because machines are shared and only
 * the ratio is meaningful.
 * Options: --rounds 3 --seconds 8 --connections 64 --growth 2000000 (records to send for the memory figure; 0
 * to skip) --workers 1 (processes that take records)
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { openControl } from '../server/src/control/open-control.ts';
import { dataFolder } from '../server/src/files/data-folder.ts';
import { openStore } from '../server/src/store/open-store.ts';
import { systemClock } from '../server/src/time/clock.ts';
import { makeBodies } from './ingest/make-bodies.ts';
import { readMetrics } from './ingest/read-metrics.ts';
import { chooseLoad, type LoadResult, type Request } from './ingest/run-load.ts';
import { residentMb, startProcess } from './ingest/start-process.ts';
import { sendOpenLoop } from './send-open-loop.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '64' },
    growth: { type: 'string', default: '0' },
    workers: { type: 'string', default: '1' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const growth = Number(values.growth);

const folder = mkdtempSync(join(tmpdir(), 'trackside-bench-'));
const dataDir = join(folder, 'data');
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const load = chooseLoad(folder);

const bare = await startProcess([path('./ingest/bare-server.ts')], {});
const trackside = await startProcess([path('../server/src/main.ts'), 'serve'], {
  TRACKSIDE_DATA_DIR: dataDir,
  TRACKSIDE_PORT: '0',
  TRACKSIDE_LOG_LEVEL: 'warn',
  TRACKSIDE_WORKERS: values.workers,
});
try {
  await measure();
} finally {
  await Promise.all([bare.stop(), trackside.stop()]);
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const log = pino({ level: 'silent' });
  const data = dataFolder(dataDir);
  const control = await openControl({
    folder: data.control,
    secretKeyFile: join(dataDir, 'secret.key'),
    clock: systemClock,
    log,
  });
  const keys: string[] = [];
  for (let i = 0; i < 7; i += 1) {
    const added = await control.websites.add({
      domain: `shop-${i}.example`,
      timezone: 'Europe/Berlin',
      contingent: null,
    });
    keys.push(added.apiKey);
  }
  await control.close();
  const requests: Request[] = makeBodies(2000).map((body, i) => ({
    ...body,
    apiKey: keys[i % keys.length]!,
  }));
  const bytes = requests.reduce((sum, { body }) => sum + body.length, 0) / requests.length;
  await new Promise((resolve) => setTimeout(resolve, 2000));

  print(
    `${load.name}, ${connections} connections, workers: ${values.workers}, bodies of ${Math.round(bytes)} bytes, ` +
      `${rounds} rounds of ${seconds} s`,
  );
  print(
    `machine: ${cpus().length} × ${cpus()[0]?.model}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  );
  const idle = residentMb(trackside.pid);
  print(`memory idle: ${showMemory(idle)}`);

  const shared = { requests, connections };
  const run = (origin: string, seconds: number) => load.run({ origin, ...shared, seconds });
  await run(bare.origin, 2);
  await run(trackside.origin, 2);

  const results: { bare: LoadResult; trackside: LoadResult }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ofBare = await run(bare.origin, seconds);
    const ofTrackside = await run(trackside.origin, seconds);
    results.push({ bare: ofBare, trackside: ofTrackside });
    print(
      `round ${round + 1}: bare ${show(ofBare)}; trackside ${show(ofTrackside)}; ` +
        `ratio ${ratio(ofTrackside, ofBare)}`,
    );
  }
  const ratios = results.map((result) => result.trackside.perSecond / result.bare.perSecond);
  const peak = median(results.map((result) => result.trackside.perSecond));
  print(`throughput ratio, median: ${median(ratios).toFixed(2)}`);

  // Records from the peak are loaded and merged first, because this measures a server that runs at half its
  // rate all day.
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const before = await readMetrics(trackside.origin);
  const texts = requests.map(toText);
  const halves: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { latenciesMs, unanswered } = await sendOpenLoop({
      origin: trackside.origin,
      perSecond: peak / 2,
      seconds,
      makeRequest: (at) => texts[at % texts.length]!,
    });
    if (unanswered > 0) throw new Error(`${unanswered} records were not answered at half the peak`);
    halves.push(latenciesMs.toSorted((a, b) => a - b)[Math.ceil(0.99 * latenciesMs.length) - 1]!);
  }
  const after = await readMetrics(trackside.origin);
  const syncP99Ms = after.syncQuantileMs(0.99, before);
  const shownHalves = halves.map((p99Ms) => p99Ms.toFixed(1)).join(', ');
  print(
    `at half the peak, ${Math.round(peak / 2)}/s: p99 of ${shownHalves} ms, ` +
      `median ${median(halves).toFixed(1)} ms; fsync p99 ${syncP99Ms.toFixed(2)} ms; ` +
      `bound 2 × fsync + 5 ms = ${(2 * syncP99Ms + 5).toFixed(2)} ms`,
  );

  if (growth > 0) {
    const start = (await readMetrics(trackside.origin)).accepted;
    const beforeGrowth = total(residentMb(trackside.pid));
    let highest = beforeGrowth;
    while ((await readMetrics(trackside.origin)).accepted - start < growth) {
      await run(trackside.origin, 5);
      highest = Math.max(highest, total(residentMb(trackside.pid)));
    }
    print(
      `memory over ${growth} more records: idle ${total(idle).toFixed(0)} MB, ` +
        `highest ${highest.toFixed(0)} MB (${showMemory(residentMb(trackside.pid))})`,
    );
  }

  const { accepted } = await readMetrics(trackside.origin);
  const store = openStore({ socketPath: data.engineSocket, use: 'asking', log });
  const countRows = async () =>
    Number((await store.query<{ rows: string }>({ query: 'select count() as rows from records' }))[0]?.rows);
  const deadline = performance.now() + 120_000;
  while ((await countRows()) < accepted && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 200));
  const rows = await countRows();
  const [parts] = await store.query<{ bytes: string }>({
    query: "select sum(bytes_on_disk) as bytes from system.parts where active and table = 'records'",
  });
  await store.close();
  print(
    `rows in the store ${rows}, answers with 200 ${accepted}: ${rows === accepted ? 'equal' : 'NOT EQUAL'}`,
  );
  print(
    `bytes a record: store ${(Number(parts?.bytes) / rows).toFixed(1)}, ` +
      `journal ${(folderBytes(data.journal) / rows).toFixed(0)} (kept for some hours)`,
  );
  print(`memory at the end: ${showMemory(residentMb(trackside.pid))}`);
  if (rows !== accepted) process.exitCode = 1;
}

/** Returns the request as it goes over the wire. */
function toText({ path, body, apiKey }: Request): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${apiKey}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

function show(result: LoadResult): string {
  const times = `p50 ${result.p50Ms.toFixed(1)} p99 ${result.p99Ms.toFixed(1)} ms`;
  const errors = result.errors > 0 ? `, ${result.errors} ERRORS` : '';
  return `${Math.round(result.perSecond)}/s ${times}${errors}`;
}

function ratio(a: LoadResult, b: LoadResult): string {
  return (a.perSecond / b.perSecond).toFixed(2);
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
