import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { askServer, type Sent, say, standIn } from '../../../clients/test/stand-in.ts';
import { findFreePort } from '../../../server/test/support/find-free-port.ts';
import { isLongForm } from '../../../server/test/support/long-form.ts';
import { pageView, post } from '../../../server/test/support/records.ts';
import type { TracksideHere } from '../../../server/test/support/start-trackside.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';
import { insertValues, type Snippet, snippets } from '../../src/pages/integrate/list-snippets.ts';
import { expectedValues, hostileCases, type Values, writeRequest } from './hostile-cases.ts';
import { type Runner, runners, whyNotHere } from './snippet-runners.ts';

const programs = fileURLToPath(new URL('../../../examples/snippets/', import.meta.url));
const sdk = fileURLToPath(new URL('../../../sdk', import.meta.url));
const execute = promisify(execFile);

/** A program on this machine, and what it sends records to. */
type Stage = {
  snippet: Snippet;
  runner: Runner;
  trackside: TracksideHere;
  website: { id: number; apiKey: string };
};

/** The programs that the pages offer to copy, run in their languages. */
export async function testSnippets(t: TestContext, trackside: TracksideHere): Promise<void> {
  const website = await trackside.addWebsite('snippets.test');
  await waitFor('the key to work', async () => {
    const { status } = await post(trackside.origin(), '/api/page-view', website.apiKey, pageView());
    return status === 200;
  });
  let records = 1;
  const tried: Promise<void>[] = [];
  for (const snippet of snippets) {
    const runner = runners[snippet.id];
    const reason = whyNotHere(runner);
    if (reason !== undefined) {
      t.diagnostic(`not run: ${snippet.label}: ${reason}`);
      continue;
    }
    const stage: Stage = { snippet, runner, trackside, website };
    // At the same time, because they spend most of their time waiting.
    const one = t.test(`the program for ${snippet.label}`, async (two) => {
      records += await testProgram(two, stage);
    });
    tried.push(one);
  }
  await Promise.all(tried);
  await waitFor('each record to be in the store, once', async () => {
    const rows = await trackside.countRows(`website_id = ${website.id}`);
    assert.ok(rows <= records, `expected ${records} records, got ${rows}`);
    return rows === records;
  });
}

/** Returns how many records it has sent. */
async function testProgram(t: TestContext, stage: Stage): Promise<number> {
  const { snippet, runner, trackside, website } = stage;
  const folder = await mkdtemp(join(tmpdir(), 'trackside-snippet-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  // As npm would install it.
  await mkdir(join(folder, 'node_modules', '@trackside'), { recursive: true });
  await symlink(sdk, join(folder, 'node_modules', '@trackside', 'sdk'));

  const seen = new Set<string>();
  const server = await standIn(t, (response, sent, body) => {
    const isFirst = !seen.has(sent.key!);
    seen.add(sent.key!);
    const isTest = pageIn(sent) === 'https://snippets.test/';
    if (!isTest || !isFirst) return askServer(trackside.origin())(response, sent, body);
    if (sent.path === '/api/event-view') return say(response, 503, 'Try again later.');
    // The record is accepted, but the answer is lost.
    askServer(trackside.origin())(response, sent, body);
    response.writeHead = () => response.destroy() as never;
  });
  const port = await findFreePort();
  const source = await readFile(join(programs, snippet.file), 'utf8');
  const program = insertValues(source, server.origin, 'snippets.test', website.apiKey)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace(/3000(?=, side\)|\), 0\)|, '127|\)$)/m, `${port}`)
    .replace(/(?<=(?:PROXIES|proxies *|Proxies) = )0/, '1')
    .replace('proxies: undefined', 'proxies: { hops: 1 }');
  const write = (content: string) => writeFile(join(folder, snippet.file), content);
  const run = ([command, ...args]: string[]) => execute(command!, args, { cwd: folder, timeout: 300_000 });

  await t.test('sends a page view and an event, each again with the same key', async () => {
    await write(program);
    runner.prepare?.(folder, snippet.file);
    const { stdout } = await run(runner.test(folder, snippet.file));
    assert.equal(stdout.match(/Success/g)?.length, 2, stdout);
    const [first, second, third, fourth, ...more] = server.sent;
    assert.deepEqual(
      [first, second, third, fourth].map((sent) => sent?.path),
      ['/api/page-view', '/api/page-view', '/api/event-view', '/api/event-view'],
    );
    assert.deepEqual(more, []);
    assert.deepEqual([first!.key, third!.key], [second!.key, fourth!.key]);
    assert.notEqual(first!.key, third!.key);
    assert.deepEqual([first!.body, third!.body], [second!.body, fourth!.body]);
  });
  const records = 2;
  if (runner.serve === undefined) return records;

  const [command, ...args] = runner.serve(folder, snippet.file, port);
  const child = spawn(command!, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  t.after(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await waitFor(`${snippet.label} to listen`, () => canConnect(port));
  server.sent.length = 0;
  // The SDK's own tests send worse to its endpoint, in their own form.
  const cases = snippet.id === 'node' ? [] : hostileCases;
  const recorded = cases.filter(({ expected }) => expected !== null);

  await t.test('handles hostile requests, and continues', async () => {
    for (const each of cases)
      assert.match(await ask(port, writeRequest(each)), /^HTTP\/1\.[01] 204 /, each.name);
    const signUp = {
      name: 'sign-up',
      form: { language: '' },
      headers: { 'accept-language': '' },
      expected: {},
    };
    assert.match(await ask(port, writeRequest(signUp, '/sign-up')), /^HTTP\/1\.[01] 303 /);
    // On a slow machine, a program may send a record again before it has been answered.
    const arrived = () => [...new Map(server.sent.map((sent) => [sent.key, sent])).values()];
    const isDone = () => arrived().length > recorded.length && arrived().every(({ answer }) => answer);
    await waitFor('the records', isDone).catch(() =>
      assert.equal(arrived().length, recorded.length + 1, output.join('')),
    );
    for (const { answer } of arrived()) assert.deepEqual(answer, { Code: 200, Message: 'Success' });
    const events = arrived().filter(({ path }) => path === '/api/event-view');
    assert.deepEqual(
      events.map(({ body }) => (body as { Name: string }).Name),
      ['Sign-up'],
    );
    const views = arrived()
      .filter(({ path }) => path === '/api/page-view')
      .map(valuesOf);
    assert.deepEqual(byPage(views), byPage(recorded.map(expectedValues)));
  });

  if (runner.isSlow && !isLongForm) return records + recorded.length + 1;
  await t.test('reports a refusal', async () => {
    await write(program.replace(website.apiKey, 'not-the-key'));
    runner.prepare?.(folder, snippet.file);
    const result = await run(runner.test(folder, snippet.file)).catch((error: object) => error);
    const { stdout, stderr } = result as { stdout: string; stderr: string };
    assert.match(`${stdout}${stderr}`, /401|Unauthorized/i);
  });
  return records + recorded.length + 1;
}

type Metrics = {
  Browser: { IP: string; UserAgent: string };
  Language: { Code: string };
  Location: { CountryCode: string | null };
  Page: { Absolute: string };
  Referrer: { Absolute: string | null };
  Screen: { Width: number; Height: number };
};

const metricsIn = ({ body }: Sent): Metrics => (body as { Metrics: Metrics }).Metrics;
const pageIn = (sent: Sent) => metricsIn(sent).Page.Absolute;
const byPage = (values: Values[]) => values.toSorted((a, b) => (a.page < b.page ? -1 : 1));

function valuesOf(sent: Sent): Values {
  const { Browser, Language, Location, Page, Referrer, Screen } = metricsIn(sent);
  return {
    ip: Browser.IP,
    userAgent: Browser.UserAgent,
    language: Language.Code.toLowerCase(),
    country: Location.CountryCode,
    page: Page.Absolute,
    referrer: Referrer.Absolute,
    width: Screen.Width,
    height: Screen.Height,
  };
}

function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

/** Sends the bytes and returns everything that comes back. */
async function ask(port: number, request: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  return text(socket);
}
