import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isLongForm } from '../../server/test/support/long-form.ts';
import { pageView, post } from '../../server/test/support/records.ts';
import type { TracksideHere } from '../../server/test/support/start-trackside.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { type Language, snippets } from '../src/pages/integrate/list-snippets.ts';
import { testSnippet } from '../src/pages/integrate/test-snippets.ts';

/** How a snippet is run, where its language is on this machine. */
type Runner = {
  file: string;
  command: string;
  args: (file: string) => string[];
  probe: string[];
  /** It compiles its own library first, which takes a minute: only in the long form. */
  isLong?: true;
};

const runners: Record<Language, Runner> = {
  curl: { file: 'send.sh', command: 'sh', args: (file) => [file], probe: ['curl', '--version'] },
  node: {
    file: 'send.mjs',
    command: process.execPath,
    args: (file) => [file],
    probe: [process.execPath, '-v'],
  },
  python: { file: 'send.py', command: 'python3', args: (file) => [file], probe: ['python3', '--version'] },
  php: { file: 'send.php', command: 'php', args: (file) => [file], probe: ['php', '--version'] },
  csharp: {
    file: 'send.cs',
    command: 'dotnet',
    args: (file) => ['run', file],
    probe: ['dotnet', '--version'],
    isLong: true,
  },
  go: {
    file: 'send.go',
    command: 'go',
    args: (file) => ['run', file],
    probe: ['go', 'version'],
    isLong: true,
  },
  ruby: { file: 'send.rb', command: 'ruby', args: (file) => [file], probe: ['ruby', '--version'] },
  java: { file: 'TracksideCall.java', command: 'java', args: (file) => [file], probe: ['java', '-version'] },
};

const sdk = fileURLToPath(new URL('../../sdk', import.meta.url));
const isHere = ({ probe: [command, ...args] }: Runner) => spawnSync(command!, args).status === 0;
const execute = promisify(execFile);
/** Java would spend most of its time on optimizing code that runs once. */
const environment = { ...process.env, JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };
const run = ({ command, args }: Runner, file: string) =>
  execute(command, args(file), { cwd: dirname(file), timeout: 120_000, env: environment });

/** The code that the pages give to copy, run in its language. */
export async function testSnippets(t: TestContext, trackside: TracksideHere): Promise<void> {
  const website = await trackside.addWebsite('snippets.test');
  const folder = await mkdtemp(join(tmpdir(), 'trackside-snippets-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await waitFor('the key to work', async () => {
    const { status } = await post(trackside.origin(), '/api/page-view', website.apiKey, pageView());
    return status === 200;
  });

  let sent = 1;
  let events = 0;
  // As npm would install it.
  await mkdir(join(folder, 'node_modules', '@trackside'), { recursive: true });
  await symlink(sdk, join(folder, 'node_modules', '@trackside', 'sdk'));
  for (const { id, label } of snippets) {
    const runner = runners[id];
    const programs = (key: string) =>
      testSnippet(id, { origin: trackside.origin(), domain: 'snippets.test', key });
    // Only where it can be run: a test that is left out is not one that has passed.
    if ((runner.isLong && !isLongForm) || !isHere(runner)) continue;
    await t.test(`the snippets for ${label} send a page view and an event`, async () => {
      const file = join(folder, runner.file);
      for (const kind of ['page view', 'event'] as const) {
        await writeFile(file, programs(website.apiKey).write(kind));
        const { stdout } = await run(runner, file);
        assert.match(stdout, /sent|Success|200/);
        sent += 1;
      }
      events += 1;
      await waitFor('both to be in the store', async () => {
        const where = `website_id = ${website.id} and path in ('/', '/pricing')`;
        const ofEvents = `${where} and event_name = 'Sign-up' and parameter_values = ['pro']`;
        return (
          (await trackside.countRows(where)) === sent && (await trackside.countRows(ofEvents)) === events
        );
      });
    });

    await t.test(`the snippet for ${label} says when it is refused`, async () => {
      const file = join(folder, runner.file);
      await writeFile(file, programs('not-the-key').write('page view'));
      const result = await run(runner, file).catch((error: { stdout: string; stderr: string }) => error);
      assert.match(`${result.stdout}${result.stderr}`, /401|Unauthorized/i);
    });
  }
}
