import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext } from 'playwright-core';
import { openChromium } from '../dashboard/test/open-chromium.ts';
import { startProcess } from './ingest/start-process.ts';
import { type Loaded, loadPage } from './page/load-page.ts';
import { readToolOptions } from './tool-options.ts';

const values = readToolOptions({
  command: 'npm run bench:page',
  about:
    'Measures how long the analytics page takes in a browser: a real server with the website of `trackside\n' +
    'demo`, and Chromium on the same machine. The sign-in page of the same server, in the same run, shows how\n' +
    'slow the machine is.',
  options: {
    rounds: { fallback: 10, help: 'how often each page is loaded' },
    folder: { help: 'where the demo is made once and kept for the next run' },
  },
});
const { rounds } = values;
const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const user = { email: 'bench@trackside.test', password: 'measured by the clock' };
const screen = { width: 1280, height: 860 };
/** High enough for all panels, so that shifts below the first screen are seen as well. */
const highScreen = { width: 1280, height: 3600 };
const filter = '?f=country:is:DE';

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'trackside-bench-'));
mkdirSync(folder, { recursive: true });
const dataDir = join(folder, 'data');
const madeFile = join(folder, 'made.json');
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const filledMs = (loaded: Loaded[]) => median(loaded.map((one) => one.filledMs));

const trackside = await startProcess([main, 'serve'], {
  TRACKSIDE_DATA_DIR: dataDir,
  TRACKSIDE_PORT: '0',
  TRACKSIDE_LOG_LEVEL: 'warn',
  TRACKSIDE_ADMIN_EMAIL: user.email,
  TRACKSIDE_ADMIN_PASSWORD: user.password,
});
const browser = await openChromium({ isSeen: true });
try {
  await measure(browser);
} finally {
  await browser.close();
  await trackside.stop();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(of: Browser): Promise<void> {
  print(
    `machine: ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ` +
      `Node ${process.version}, Chromium ${of.version()}`,
  );
  const numbers = `${trackside.origin}/websites/${await makeDemo()}`;
  await untilEngineIsThere();
  const cookie = await signIn();
  const open = async (viewport: typeof screen, isSignedIn = true): Promise<BrowserContext> => {
    const context = await of.newContext({ viewport, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
    if (isSignedIn) await context.addCookies([{ ...cookie, url: trackside.origin }]);
    return context;
  };
  const loadOnce = async (context: BrowserContext, address: string): Promise<Loaded> => {
    const loaded = await loadPage(context, address);
    await context.close();
    return loaded;
  };

  // The browser's own start is left out. The server's first answer is measured, once.
  await loadOnce(await open(screen, false), `${trackside.origin}/sign-in`);
  const first = await loadOnce(await open(screen), numbers);
  print(
    `the first look after the server's start: all panels after ${first.filledMs.toFixed(0)} ms; ` +
      showBatches([first]),
  );

  const results: Record<string, Loaded[]> = {};
  const keep = (name: string, loaded: Loaded) => {
    results[name] ??= [];
    results[name].push(loaded);
  };
  for (let round = 0; round < rounds; round += 1) {
    keep('sign-in page', await loadOnce(await open(screen, false), `${trackside.origin}/sign-in`));
    const context = await open(screen);
    keep('cold', await loadPage(context, numbers));
    keep('warm', await loadPage(context, numbers));
    keep('warm, one filter', await loadOnce(context, numbers + filter));
    keep('cold, one filter', await loadOnce(await open(screen), numbers + filter));
    keep('cold, high screen', await loadOnce(await open(highScreen), numbers));
  }
  printTable(results);
  const scriptBytes = await gzippedBytes(results.cold![0]!.scripts);
  print(`script of a cold page, gzipped: ${(scriptBytes / 1000).toFixed(1)} KB`);
  for (const [name, loaded] of Object.entries(results).slice(1)) print(`${name}: ${showBatches(loaded)}`);
  const shifted = Object.values(results).flatMap((loaded) => loaded.flatMap((one) => one.shifted));
  for (const [what, shifts] of Map.groupBy(shifted, (one) => one.what))
    print(`moved: ${what}, by at most ${Math.max(...shifts.map(({ shift }) => shift)).toFixed(5)}`);
}

/** Makes the demo, and returns the website's id. */
async function makeDemo(): Promise<number> {
  if (existsSync(madeFile)) return (JSON.parse(readFileSync(madeFile, 'utf8')) as { id: number }).id;
  await untilEngineIsThere();
  const startedMs = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [
    main,
    'demo',
    '--json',
    '--data-dir',
    dataDir,
  ]);
  const { id, records } = JSON.parse(stdout) as { id: number; records: number };
  writeFileSync(madeFile, stdout);
  const seconds = (performance.now() - startedMs) / 1000;
  const shown = records.toLocaleString('en-US');
  print(`trackside demo: ${shown} records, made and added up in ${seconds.toFixed(0)} s`);
  return id;
}

async function untilEngineIsThere(): Promise<void> {
  const isThere = async () => {
    const { degraded } = (await (await fetch(`${trackside.origin}/health`)).json()) as {
      degraded: unknown[];
    };
    return degraded.length === 0;
  };
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function signIn(): Promise<{ name: string; value: string }> {
  const response = await fetch(`${trackside.origin}/api/session`, {
    method: 'POST',
    headers: { Origin: trackside.origin, 'Content-Type': 'application/json' },
    body: JSON.stringify(user),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const [name = '', value = ''] = response.headers.get('set-cookie')!.split(';')[0]!.split('=');
  return { name, value };
}

/** Returns the size as a proxy or a plain connection would get it. The browser here uses brotli. */
async function gzippedBytes(addresses: string[]): Promise<number> {
  const bodies = await Promise.all(addresses.map(async (address) => (await fetch(address)).arrayBuffer()));
  return bodies.reduce((sum, body) => sum + gzipSync(new Uint8Array(body), { level: 9 }).length, 0);
}

function printTable(results: Record<string, Loaded[]>): void {
  const columns: [string, (loaded: Loaded[]) => string][] = [
    ['first paint, ms', (all) => showTimes(all.map(({ firstPaintMs }) => firstPaintMs))],
    ['all filled, ms', (all) => showTimes(all.map(({ filledMs }) => filledMs))],
    ['× sign-in', (all) => (filledMs(all) / filledMs(results['sign-in page']!)).toFixed(1)],
    ['moved, at most', (all) => Math.max(...all.map(({ shift }) => shift)).toFixed(4)],
    ['requests', (all) => median(all.map(({ requests }) => requests)).toFixed(0)],
    ['KB', (all) => (median(all.map(({ bytes }) => bytes)) / 1000).toFixed(1)],
  ];
  const rows = [
    ['', ...columns.map(([heading]) => heading)],
    ...Object.entries(results).map(([name, loaded]) => [name, ...columns.map(([, show]) => show(loaded))]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

function showBatches(loaded: Loaded[]): string {
  const most = Math.max(...loaded.map(({ batches }) => batches.length));
  const each = Array.from({ length: most }, (_, index) => {
    const asked = loaded.flatMap(({ batches }) => batches[index] ?? []);
    const tookMs = median(asked.map((batch) => batch.tookMs));
    const atMs = median(asked.map((batch) => batch.atMs));
    return `${tookMs.toFixed(0)} ms, asked after ${atMs.toFixed(0)} ms`;
  });
  return `requests for numbers took ${each.join('; ')}`;
}

function showTimes(times: number[]): string {
  return `${median(times).toFixed(0)} (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`;
}
