import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { openControl } from '../server/src/control/open-control.ts';
import { dataFolder } from '../server/src/files/data-folder.ts';
import { systemClock } from '../server/src/time/clock.ts';
import { type Started, startProcess } from './ingest/start-process.ts';
import { loadShop, type ShopLoad } from './sdk/load-shop.ts';
import { readToolOptions } from './tool-options.ts';

const { rounds, seconds, connections } = readToolOptions({
  command: 'npm run bench:sdk',
  about:
    'Measures what the SDK costs a website: the pages of the example shop on Express without it, with the\n' +
    'endpoint mounted, and with a record for every page (countPages); then the shop while Trackside is away.\n' +
    'All of them run in turn in one session, because machines are shared and only the ratios are meaningful.\n' +
    'Trackside runs on the same machine and takes its share of it.',
  options: {
    rounds: { fallback: 3, help: 'turns of each' },
    seconds: { fallback: 5, help: 'how long a turn takes' },
    connections: { fallback: 16, help: 'connections that ask for pages at the same time' },
  },
});
/** The share of the shop's rate without the SDK at which latencies are those of a website, not of a queue. */
const calmShare = 0.1;

const modes = { bare: 'without the SDK', endpoint: 'with the endpoint', 'count-pages': 'with countPages' };
type Mode = keyof typeof modes;
type PerMode<T> = Record<Mode, T>;
/** The processor time is the shop's alone, whatever else the machine does. */
type Measured = ShopLoad & { cpuMsPerPage: number };

const folder = mkdtempSync(join(tmpdir(), 'trackside-bench-'));
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const running = new Set<Started>();

try {
  await measure();
} finally {
  await Promise.all([...running].map(stop));
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const apiKey = await addWebsite();
  const trackside = await startTrackside('0');
  const port = new URL(trackside.origin).port;
  const shops = {} as PerMode<Started>;
  for (const mode of Object.keys(modes) as Mode[])
    shops[mode] = await start([path('./sdk/serve-shop.ts'), mode, trackside.origin, apiKey], {});
  print(
    `autocannon, ${connections} connections, ${rounds} rounds of ${seconds} s; ` +
      `machine: ${cpus().length} × ${cpus()[0]?.model}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  );

  print('as many pages as possible:');
  await compare(shops, { seconds: 2 }, 1);
  const peaks = await compare(shops, { seconds }, rounds);
  printRatios(peaks, 'throughput', ({ perSecond }) => perSecond);
  printRatios(peaks, 'processor time a page', ({ cpuMsPerPage }) => cpuMsPerPage);

  const rate = Math.max(20, Math.round(calmShare * median(peaks.bare.map(({ perSecond }) => perSecond))));
  print(`at ${rate} pages a second:`);
  const calm = await compare(shops, { seconds, rate }, rounds);
  printRatios(calm, 'p50', ({ p50Ms }) => p50Ms);
  printRatios(calm, 'p99', ({ p99Ms }) => p99Ms);

  print(
    `at ${rate} requests a second, half of them what the script sends, while Trackside is there and away:`,
  );
  const there: ShopLoad[] = [];
  const away: ShopLoad[] = [];
  let server = trackside;
  const { origin } = shops.endpoint;
  for (let round = 0; round < rounds; round += 1) {
    there.push(await loadShop({ origin, connections, seconds, rate, hasScript: true }));
    await stop(server);
    away.push(await loadShop({ origin, connections, seconds, rate, hasScript: true }));
    server = await startTrackside(port);
    await untilSent(origin);
    print(`round ${round + 1}: there ${show(there.at(-1)!)}; away ${show(away.at(-1)!)}`);
  }
  const p99Of = (loads: ShopLoad[]) => median(loads.map(({ p99Ms }) => p99Ms));
  print(`p99 while Trackside is away, against there: ${(p99Of(away) / p99Of(there)).toFixed(2)}`);
  for (const mode of ['endpoint', 'count-pages'] as const) {
    await untilSent(shops[mode].origin);
    print(`records ${modes[mode]}: ${JSON.stringify((await readUsage(shops[mode].origin)).counts)}`);
  }
}

/** Runs each mode once a round. Records that are left from one mode are sent before the next begins. */
async function compare(
  shops: PerMode<Started>,
  load: { seconds: number; rate?: number },
  times: number,
): Promise<PerMode<Measured[]>> {
  const results: PerMode<Measured[]> = { bare: [], endpoint: [], 'count-pages': [] };
  for (let round = 0; round < times; round += 1) {
    for (const [mode, { origin }] of Object.entries(shops) as [Mode, Started][]) {
      const { cpuMs } = await readUsage(origin);
      const loaded = await loadShop({ origin, connections, ...load });
      await untilSent(origin);
      const cpuMsPerPage = ((await readUsage(origin)).cpuMs - cpuMs) / loaded.pages;
      results[mode].push({ ...loaded, cpuMsPerPage });
    }
    const shown = Object.entries(modes).map(
      ([mode, name]) => `${name} ${show(results[mode as Mode].at(-1)!)}`,
    );
    if (times > 1) print(`round ${round + 1}: ${shown.join('; ')}`);
  }
  return results;
}

function printRatios(results: PerMode<Measured[]>, what: string, of: (load: Measured) => number): void {
  const ratioOf = (mode: Mode) =>
    median(results[mode].map((load, round) => of(load) / of(results.bare[round]!))).toFixed(2);
  print(
    `${what} ratio, median: ${modes.endpoint} ${ratioOf('endpoint')}, ` +
      `${modes['count-pages']} ${ratioOf('count-pages')}`,
  );
}

function show({ perSecond, p50Ms, p99Ms, faults }: ShopLoad): string {
  const also = faults > 0 ? `, ${faults} FAULTS` : '';
  return `${Math.round(perSecond)}/s p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(2)} ms${also}`;
}

type Usage = { counts: { queued: number; accepted: number; dropped: number }; cpuMs: number };

async function readUsage(origin: string): Promise<Usage> {
  return (await (await fetch(`${origin}/usage`)).json()) as Usage;
}

async function untilSent(origin: string): Promise<void> {
  const deadline = performance.now() + 120_000;
  while ((await readUsage(origin)).counts.queued > 0) {
    if (performance.now() > deadline) throw new Error('the queue was not sent within 120 s');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function addWebsite(): Promise<string> {
  const dataDir = join(folder, 'data');
  const control = await openControl({
    folder: dataFolder(dataDir).control,
    secretKeyFile: join(dataDir, 'secret.key'),
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });
  const website = { domain: 'isoline.example', timezone: 'UTC', contingent: null };
  const { apiKey } = await control.websites.add(website);
  await control.close();
  return apiKey;
}

function startTrackside(port: string): Promise<Started> {
  return start([path('../server/src/main.ts'), 'serve'], {
    TRACKSIDE_DATA_DIR: join(folder, 'data'),
    TRACKSIDE_PORT: port,
    TRACKSIDE_LOG_LEVEL: 'warn',
  });
}

async function start(args: string[], environment: Record<string, string>): Promise<Started> {
  const started = await startProcess(args, environment);
  running.add(started);
  return started;
}

async function stop(started: Started): Promise<void> {
  running.delete(started);
  await started.stop();
}
