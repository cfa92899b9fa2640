/**
 * Makes a data folder with a version of Trackside, for the tests of upgrades:
 * `node server/test/data-folders/make-data-folder.ts NAME [CHECKOUT]`. CHECKOUT is where that version is
 * installed; without it, it is this one. Writes NAME.zst and NAME.json with what must be found in it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../support/find-free-port.ts';
import { packFolder } from '../support/packed-folder.ts';
import { event, pageView, post } from '../support/records.ts';
import { waitFor } from '../support/wait-for.ts';

const [name, given = fileURLToPath(new URL('../../..', import.meta.url))] = process.argv.slice(2);
if (name === undefined || !/^[\w.-]+$/.test(name))
  throw new Error('expected the name of the new data folder');
const checkout = resolve(given);
const dataDir = await mkdtemp(join(tmpdir(), 'trackside-folder-'));
const port = await findFreePort();
const env = { PATH: process.env.PATH, TRACKSIDE_DATA_DIR: dataDir, TRACKSIDE_PORT: String(port) };
const node = join(checkout, 'node_modules', '.bin', 'node');
const program = join(checkout, 'server', 'bin', 'trackside.js');

async function run(...words: string[]): Promise<string> {
  const child = spawn(node, [program, ...words], {
    env,
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const [code] = await exited;
  if (code !== 0) throw new Error(`trackside ${words.join(' ')} ended with ${code}`);
  return output;
}

const server = spawn(node, [program, 'serve'], {
  env,
  cwd: checkout,
  stdio: ['ignore', 'inherit', 'inherit'],
});
try {
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(
    'the server',
    async () => (await fetch(`${origin}/health`).catch(() => undefined))?.ok === true,
  );
  const { apiKey } = JSON.parse(await run('website', 'add', 'example.com', '--contingent', '100', '--json'));
  const pages: Record<string, number> = { '/': 3, '/pricing': 2, '/über-uns': 1 };
  for (const [path, views] of Object.entries(pages)) {
    for (let at = 0; at < views; at += 1) {
      const Page = { Absolute: new URL(path, 'https://www.example.com').href };
      await waitFor('a record to be accepted', async () => {
        const record = pageView({ Page, Identify: { ClientId: `person-${at}` } });
        return (await post(origin, '/api/page-view', apiKey, record)).status === 200;
      });
    }
  }
  const signup = {
    ...event('Signup', [{ Name: 'plan', Value: 'pro' }]),
    OccurredAt: new Date(Date.now() - 60_000).toISOString(),
  };
  const { status } = await post(origin, '/api/event-view', apiKey, signup);
  if (status !== 200) throw new Error(`the event was answered with ${status}`);
  const refusal = await post(origin, '/api/page-view', apiKey, {});
  if (refusal.status !== 400) throw new Error(`a record without members was answered with ${refusal.status}`);
  // The loader has some seconds to load and count them.
  await delay(5_000);
  await post(
    origin,
    '/api/page-view',
    apiKey,
    pageView({ Page: { Absolute: 'https://www.example.com/last' } }),
  );
  pages['/last'] = 1;
  // Killed, so that the last record may be in the journal alone.
  server.kill('SIGKILL');
  await once(server, 'exit');
  await delay(3_000);
  const here = new URL('.', import.meta.url);
  await writeFile(new URL(`${name}.zst`, here), await packFolder(dataDir));
  const openAt = new Date(Math.ceil(Date.now() / 1000) * 1000).toISOString();
  const expected = { openAt, apiKey, pages, events: 1, used: 8, refused: 1 };
  await writeFile(new URL(`${name}.json`, here), `${JSON.stringify(expected, null, 2)}\n`);
} finally {
  server.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
}
