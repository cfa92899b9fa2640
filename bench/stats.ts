import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { dataFolder } from '../server/src/files/data-folder.ts';
import { recordColumns } from '../server/src/records/record-columns.ts';
import { openStore } from '../server/src/store/open-store.ts';
import { makeBodies } from './ingest/make-bodies.ts';
import { residentMb, startProcess } from './ingest/start-process.ts';
import { askScreen } from './stats/ask-screen.ts';
import { type Filter, firstScreen, plainSql } from './stats/first-screen.ts';
import { type Made, makeWebsites } from './stats/make-websites.ts';
import { measureHeavy } from './stats/measure-heavy.ts';
import { measureSizes } from './stats/measure-sizes.ts';
import { measureStaleness } from './stats/measure-staleness.ts';
import { median, showTimes, timeWork } from './stats/time-work.ts';
import { readToolOptions } from './tool-options.ts';

const values = readToolOptions({
  command: 'npm run bench:stats',
  about:
    "Measures how long a dashboard's first screen takes, next to the same questions as plain SQL over the\n" +
    'records, in one run.',
  options: {
    records: { fallback: 1_000_000, help: 'how many records the website has in 30 days' },
    before: { help: 'how many it has in the 30 days before (default: as many)' },
    others: { fallback: 0, help: 'how many records 500 other websites have' },
    clients: { fallback: 0, help: 'how many records a website with ClientIds has in 30 days' },
    'own-pages': { fallback: 0, help: 'how many percent of the views have a page of their own' },
    rounds: { fallback: 5, help: 'how often each screen is asked for again' },
    folder: { help: 'where the data is made once and kept; the next run on the same day uses it again' },
  },
});
const { records, others, clients, rounds } = values;
const before = Number(values.before ?? records);

const germany = { dimension: 'country', is: 'DE' };
const mobile = { dimension: 'device', is: 'mobile' };
const pairsOfFilters = {
  'country and device': [germany, mobile],
  'source and device': [{ dimension: 'source', is: 'Google' }, mobile],
  'a page and device': [{ dimension: 'page', is: '/product/17' }, mobile],
  'part of a path that few have and device': [{ dimension: 'page', contains: '/blog/19' }, mobile],
  'part of a path that most have and not a country': [
    { dimension: 'page', contains: 'product' },
    { dimension: 'country', isNot: 'DE' },
  ],
  'part of a path that all have and not a country': [
    { dimension: 'page', contains: 'o' },
    { dimension: 'country', isNot: 'DE' },
  ],
  'an event and device': [{ dimension: 'event', is: 'Signup' }, mobile],
  'a parameter and country': [{ dimension: 'parameterValue', of: 'plan', is: 'pro' }, germany],
};

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'trackside-bench-'));
mkdirSync(folder, { recursive: true });
const madeFile = join(folder, 'made.json');
const dataDir = join(folder, 'data');
const log = pino({ level: 'silent' });
const print = (line: string) => process.stdout.write(`${line}\n`);

const trackside = await startProcess(
  [fileURLToPath(new URL('../server/src/main.ts', import.meta.url)), 'serve'],
  {
    TRACKSIDE_DATA_DIR: dataDir,
    TRACKSIDE_PORT: '0',
    TRACKSIDE_LOG_LEVEL: 'warn',
  },
);
const store = openStore({ socketPath: dataFolder(dataDir).engineSocket, use: 'asking', log });
try {
  await measure();
} finally {
  await store.close();
  await trackside.stop();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const [{ model } = { model: 'unknown' }] = cpus();
  const memoryGib = Math.round(totalmem() / 2 ** 30);
  print(`machine: ${cpus().length} × ${model}, ${memoryGib} GiB, Node ${process.version}`);
  await untilStoreIsThere();
  const { main, neighbor, withClients } = existsSync(madeFile) ? readMade() : await make();
  const { origin } = trackside;

  const screen = firstScreen();
  const cold = await timeWork(() => askScreen(origin, main.token, screen));
  const warm: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    warm.push(await timeWork(() => askScreen(origin, main.token, screen)));
  print(`first screen: first time ${cold.toFixed(0)} ms, warm ${showTimes(warm)}`);
  for (const [pair, filters] of Object.entries(pairsOfFilters))
    print(`filtered by ${pair}: ${await measureFiltered(origin, main.token, filters)}`);
  if (clients > 0) {
    print(`with ClientIds: ${await measureFiltered(origin, withClients.token, [])}`);
    print(`with ClientIds, ${await measureStaleness(origin, withClients, makeBodies(20))}`);
  }
  print(await measurePlain(main.id, median(warm)));
  print(await measureStaleness(origin, main));
  print(await measureHeavy(origin, main, neighbor));
  print(await measureSizes(store));
  const memory = residentMb(trackside.pid).map(({ name, mb }) => `${name} ${mb.toFixed(0)} MB`);
  print(`memory at the end: ${memory.join(', ')}`);
}

/** Measures a screen, the first time and then warm. A filter that takes too long is measured as well. */
async function measureFiltered(origin: string, token: string, filters: Filter[]): Promise<string> {
  const ask = () => timeWork(() => askScreen(origin, token, firstScreen(filters), [200, 422]));
  const first = await ask();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await ask());
  return `first time ${first.toFixed(0)} ms, then ${showTimes(times)}`;
}

async function make(): Promise<Made> {
  const { origin } = trackside;
  const websites = await makeWebsites({
    origin,
    dataDir,
    store,
    records,
    before,
    others,
    clients,
    ownPages: values['own-pages'],
    print,
    log,
  });
  writeFileSync(madeFile, JSON.stringify(websites));
  return websites;
}

function readMade(): Made {
  print(`as made in ${folder}`);
  return JSON.parse(readFileSync(madeFile, 'utf8')) as Made;
}

/** Waits until the server has brought the tables up to date. */
async function untilStoreIsThere(): Promise<void> {
  const isThere = () =>
    store.query({ query: `select ${recordColumns.join(', ')} from records limit 0` }).then(
      () => true,
      () => false,
    );
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 100));
}

/**
 * Measures the same questions without the sums. With very many records, they need more memory than the engine
 * has.
 */
async function measurePlain(websiteId: number, warmMs: number): Promise<string> {
  const what = 'the same as plain SQL over the records';
  const plain: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) plain.push(await timeWork(() => askPlain(websiteId)));
  } catch (error) {
    // The server ends an engine that takes far more than its limit before a statement fails by it.
    if (!/memory.limit|hang up|ECONNRESET/i.test(String(error))) throw error;
    await untilStoreIsThere();
    return `${what}: more than the memory of the engine`;
  }
  return `${what}: ${showTimes(plain)}; ${(median(plain) / warmMs).toFixed(0)} times as long`;
}

async function askPlain(websiteId: number): Promise<void> {
  const asked = plainSql().map((query) =>
    store.ofWebsite(websiteId).query({ query, settings: { max_execution_time: 600 } }),
  );
  // When one of them fails, the others still run, and what is measured next must not run beside them.
  await Promise.allSettled(asked);
  await Promise.all(asked);
}
