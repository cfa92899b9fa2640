/**
 * Measures how long a dashboard's first screen takes, next to the same questions as plain SQL over the
 * records, in one run.
 * Options: --records 1000000 (of the website in 30 days), --before N (in the 30 days before; the same number
 * by default), --others 0 (records of 500 other websites), --rounds 5, --folder F (the data is made there
 * once and kept; the next run on the same day uses it again)
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { openControl } from '../server/src/control/open-control.ts';
import { dataFolder } from '../server/src/files/data-folder.ts';
import { createDayBuilder } from '../server/src/stats/days/day-builder.ts';
import { openStore, type Store } from '../server/src/store/open-store.ts';
import { systemClock } from '../server/src/time/clock.ts';
import { makeBodies } from './ingest/make-bodies.ts';
import { residentMb, startProcess } from './ingest/start-process.ts';
import { fillRecords } from './stats/fill-records.ts';
import { firstScreen, plainSql } from './stats/first-screen.ts';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    before: { type: 'string' },
    others: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '5' },
    folder: { type: 'string' },
  },
});
const records = Number(values.records);
const before = Number(values.before ?? values.records);
const others = Number(values.others);
const rounds = Number(values.rounds);
const otherWebsites = 500;
const dayMs = 86_400_000;

/** A website with the credentials to ask and to send for it. */
type Asking = { id: number; token: string; apiKey: string };

const twoFilters = [
  { dimension: 'country', is: 'DE' },
  { dimension: 'device', is: 'mobile' },
];

const heavyQuestion = {
  period: '60d',
  dimensions: ['page', 'city', 'browserVersion'],
  filters: [{ dimension: 'page', contains: 'o' }],
};

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'trackside-bench-'));
mkdirSync(folder, { recursive: true });
const madeFile = join(folder, 'made.json');
const dataDir = join(folder, 'data');
const data = dataFolder(dataDir);
const log = pino({ level: 'silent' });
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const quantile = (numbers: number[], q: number) =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(q * numbers.length) - 1]!;
const shown = (number: number) => number.toLocaleString('en-US');
const dayAt = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

const trackside = await startProcess(
  [fileURLToPath(new URL('../server/src/main.ts', import.meta.url)), 'serve'],
  {
    TRACKSIDE_DATA_DIR: dataDir,
    TRACKSIDE_PORT: '0',
    TRACKSIDE_LOG_LEVEL: 'warn',
  },
);
const store = openStore({ socketPath: data.engineSocket, use: 'asking', log });
try {
  await measure();
} finally {
  await store.close();
  await trackside.stop();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  print(
    `machine: ${cpus().length} × ${cpus()[0]?.model}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  );
  await untilStoreIsThere();
  const websites = existsSync(madeFile) ? readMade() : await make();
  const [main] = websites;

  const screen = firstScreen();
  const cold = await timed(() => ask(main!.token, screen));
  const warm: number[] = [];
  const filtered: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    warm.push(await timed(() => ask(main!.token, screen)));
    filtered.push(await timed(() => ask(main!.token, firstScreen(twoFilters), [200, 422])));
  }
  print(`first screen: first time ${cold.toFixed(0)} ms, warm ${showTimes(warm)}`);
  print(`with two filters: ${showTimes(filtered)}`);
  await measurePlain(main!.id, median(warm));
  await measureStaleness(main!.token, main!.apiKey, screen);
  await measureHeavy(websites);
  await printSizes(store);
  const memory = residentMb(trackside.pid).map(({ name, mb }) => `${name} ${mb.toFixed(0)} MB`);
  print(`memory at the end: ${memory.join(', ')}`);
}

async function make(): Promise<Asking[]> {
  const websites = await addWebsites();
  const [main, neighbour] = websites;
  await fill(main!.id, neighbour!.id);
  writeFileSync(madeFile, JSON.stringify(websites));
  return websites;
}

function readMade(): Asking[] {
  print(`as made in ${folder}`);
  return JSON.parse(readFileSync(madeFile, 'utf8')) as Asking[];
}

async function untilStoreIsThere(): Promise<void> {
  const isThere = () =>
    store.query({ query: 'select count() from day_builds' }).then(
      () => true,
      () => false,
    );
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function addWebsites(): Promise<Asking[]> {
  const control = await openControl({
    folder: data.control,
    secretKeyFile: join(dataDir, 'secret.key'),
    clock: systemClock,
    log,
  });
  const added: Asking[] = [];
  for (const domain of ['main.example', 'neighbour.example']) {
    const { website, apiKey } = await control.websites.add({ domain, timezone: 'UTC', contingent: null });
    const { token } = await control.readTokens.add(website.id, 'bench');
    added.push({ id: website.id, token, apiKey });
  }
  await control.close();
  return added;
}

async function fill(mainId: number, neighbourId: number): Promise<void> {
  const startedMs = performance.now();
  const month = { days: 30, isLastDayPartial: false };
  await fillRecords(store, { websiteId: mainId, firstDay: dayAt(59), records: before, ...month });
  await fillRecords(store, {
    websiteId: mainId,
    firstDay: dayAt(29),
    records,
    ...month,
    isLastDayPartial: true,
  });
  await fillRecords(store, {
    websiteId: neighbourId,
    firstDay: dayAt(29),
    records: 100_000,
    ...month,
    isLastDayPartial: true,
  });
  for (let website = 0; website < otherWebsites && others > 0; website += 1) {
    const each = Math.ceil(others / otherWebsites);
    await fillRecords(store, { websiteId: 1000 + website, firstDay: dayAt(29), records: each, ...month });
    if (website % 50 === 49) print(`  ${website + 1} of ${otherWebsites} other websites`);
  }
  const filledMs = performance.now();
  const days = createDayBuilder({ store, clock: systemClock, log, recordsPerSlice: 200_000, sharedMs: 0 });
  const period = { from: dayAt(60), to: dayAt(0) };
  await days.rebuild(mainId, period, dayAt(0), () => {});
  const builtMs = performance.now();
  await days.rebuild(neighbourId, period, dayAt(0), () => {});
  await days.stop({ withinMs: 60_000 });
  const [fillMs, buildMs] = [filledMs - startedMs, builtMs - filledMs];
  print(
    `${shown(records)} records in 30 days, ${shown(before)} in the 30 days before, ` +
      `beside ${shown(others)} of others: made in ${(fillMs / 1000).toFixed(0)} s; ` +
      `days added up in ${(buildMs / 1000).toFixed(0)} s ` +
      `(${((buildMs * 1000) / (records + before)).toFixed(1)} µs a record)`,
  );
}

/** Asks in one request, as the dashboard does for a screen. */
async function ask(token: string, questions: unknown[], codes = [200]): Promise<{ asOf: string }[]> {
  const response = await fetch(`${trackside.origin}/api/stats/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ questions: questions.map((question) => ({ kind: 'query', question })) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { code, answer } = JSON.parse(line) as { code: number; answer: { asOf: string } };
      if (!codes.includes(code)) throw new Error(line);
      return answer;
    });
}

async function askPlain(websiteId: number): Promise<void> {
  await Promise.all(
    plainSql().map((query) =>
      store.ofWebsite(websiteId).query({ query, settings: { max_execution_time: 600 } }),
    ),
  );
}

/**
 * Measures the same questions without the sums. With very many records, they need more memory than the engine
 * has.
 */
async function measurePlain(websiteId: number, warmMs: number): Promise<void> {
  const plain: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) plain.push(await timed(() => askPlain(websiteId)));
  } catch (error) {
    if (!/memory limit/i.test(String(error))) throw error;
    print('the same as plain SQL over the records: more than the memory of the engine');
    return;
  }
  print(
    `the same as plain SQL over the records: ${showTimes(plain)}; ` +
      `${(median(plain) / warmMs).toFixed(0)} times as long`,
  );
}

/**
 * Returns bodies without a ClientId, because lists of a website with ClientIds have to be read from the
 * visits.
 */
function plainBodies() {
  return makeBodies(20).filter(({ body }) => body.includes('"ClientId":null'));
}

/** Measures how old the numbers on the screen are while records come in. */
async function measureStaleness(token: string, apiKey: string, screen: unknown[]): Promise<void> {
  const bodies = plainBodies();
  const ages: number[] = [];
  const times: number[] = [];
  const untilMs = performance.now() + 20_000;
  while (performance.now() < untilMs) {
    for (const { path, body } of bodies)
      await fetch(`${trackside.origin}${path}`, { method: 'POST', headers: { Authorization: apiKey }, body });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const startedMs = performance.now();
    const answers = await ask(token, screen);
    times.push(performance.now() - startedMs);
    ages.push(Date.now() - Math.min(...answers.map(({ asOf }) => Date.parse(asOf))));
  }
  print(
    `with records coming in: screen ${showTimes(times)}; ` +
      `"as of" ${(median(ages) / 1000).toFixed(1)} s ago, ` +
      `at most ${(Math.max(...ages) / 1000).toFixed(1)} s`,
  );
}

/** Measures tracking and another website's screen while heavy questions run without a pause. */
async function measureHeavy(websites: Asking[]): Promise<void> {
  const [main, neighbour] = websites;
  const [body] = plainBodies();
  const track = async () => {
    const times: number[] = [];
    for (let sent = 0; sent < 1000; sent += 1) {
      times.push(
        await timed(async () => {
          const response = await fetch(`${trackside.origin}${body!.path}`, {
            method: 'POST',
            headers: { Authorization: neighbour!.apiKey },
            body: body!.body,
          });
          await response.text();
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return quantile(times, 0.99);
  };
  const screens = async () => {
    const times: number[] = [];
    for (let asked = 0; asked < 9; asked += 1)
      times.push(await timed(() => ask(neighbour!.token, firstScreen())));
    return median(times);
  };
  await screens();
  const idle = { trackP99: await track(), screen: await screens() };
  let isRunning = true;
  const heavy = Promise.all(
    [0, 1].map(async () => {
      while (isRunning) {
        // The engine ends a question that takes too long: 422, but still heavy.
        await ask(main!.token, [heavyQuestion], [200, 422]);
      }
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  const busy = { trackP99: await track(), screen: await screens() };
  isRunning = false;
  await heavy;
  print(
    `while heavy questions run: tracking p99 ${busy.trackP99.toFixed(1)} ms, ` +
      `idle ${idle.trackP99.toFixed(1)} ms (${(busy.trackP99 / idle.trackP99).toFixed(1)} times); ` +
      `another website's screen ${busy.screen.toFixed(0)} ms, ` +
      `idle ${idle.screen.toFixed(0)} ms (${(busy.screen / idle.screen).toFixed(1)} times)`,
  );
}

async function printSizes(of: Store): Promise<void> {
  const rows = await of.query<{ table: string; bytes: number; rows: number }>({
    query: `
      select table, sum(bytes_on_disk) as bytes, sum(rows) as rows from system.parts
      where active and database = 'trackside' group by table order by bytes desc`,
  });
  const all = rows.find(({ table }) => table === 'records')?.rows ?? 1;
  // The days of the other websites are added up in the background, as far as there was time.
  const [built] = await of.query<{ records: number }>({
    query: 'select sum(records) as records from day_builds final',
  });
  const recordBytes = (rows.find(({ table }) => table === 'records')?.bytes ?? 0) / all;
  const others =
    rows.filter(({ table }) => table !== 'records').reduce((sum, { bytes }) => sum + bytes, 0) /
    (built?.records ?? 1);
  print(
    `bytes a record: records ${recordBytes.toFixed(1)}, visits and sums ${others.toFixed(1)}, ` +
      `together ${(recordBytes + others).toFixed(1)}`,
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function showTimes(times: number[]): string {
  const [least, most] = [Math.min(...times), Math.max(...times)];
  return `${median(times).toFixed(0)} ms in the median (${least.toFixed(0)} to ${most.toFixed(0)})`;
}
