/**
 * Runs all tests, each file in its own process. Node's own command line starts the files in the order of their
 * names, and passes no options of V8 on to their processes.
 */
import { globSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { isLongForm } from '../server/test/support/long-form.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const timeout = Number(process.env.TEST_TIMEOUT_MS ?? 1_800_000);

/**
 * Some wait for most of their time, so two processors have work for more than two processes. With five, they are
 * always busy, but the same tests take a tenth more of their time.
 */
const filesAtOnce = 4;

/** They take the longest, so they are started first. Otherwise, one of them would run alone at the end. */
const longest = [
  'server/test/processes/others.test.ts',
  'server/test/processes/beside-the-code-of-records.test.ts',
  'server/test/processes/damage.test.ts',
  'server/test/processes/engine-of-questions.test.ts',
  'server/test/processes/restarts.test.ts',
  'dashboard/test/on-a-stand-in.test.ts',
  'server/test/processes/answers.test.ts',
  'server/test/processes/engine-of-data.test.ts',
  'server/test/processes/data.test.ts',
  'server/test/processes/beside-the-code.test.ts',
  'dashboard/test/on-a-server.test.ts',
  'server/test/processes/beside-the-code-of-commands.test.ts',
  'server/test/processes/engine-of-faults.test.ts',
  'server/test/processes/engine-of-records.test.ts',
  'server/test/processes/control-on-postgres.test.ts',
  'sdk/test/beside-the-code.test.ts',
  'examples/shop/test/shop.test.ts',
  'clients/test/clients.test.ts',
  'sdk/test/browser-script.test.ts',
  'sdk/test/with-a-server.test.ts',
  'sdk/test/package.test.ts',
];

/**
 * With more room for new objects, V8 collects garbage less often, which saves a sixth of the processor time of
 * `beside-the-code-of-records.test.ts`.
 */
const roomForObjects = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

/** Makes the runner stop following promises, which takes a tenth of the processor time of test processes. */
const followNoPromises = `--import=${new URL('../server/test/support/follow-no-promises.ts', import.meta.url)}`;

const found = globSync(
  [
    `server/test/processes/${isLongForm ? '**/' : ''}*.test.ts`,
    `sdk/test/${isLongForm ? '{,long/}' : ''}*.test.ts`,
    'clients/test/*.test.ts',
    'examples/*/test/**/*.test.ts',
    'dashboard/test/**/*.test.ts',
  ],
  { cwd: root },
);
const missing = longest.filter((file) => !found.includes(file));
if (missing.length > 0) throw new Error(`expected these tests, got none: ${missing.join(', ')}`);
const others = found.filter((file) => !longest.includes(file)).toSorted();
const files = [...longest, ...others];

run({ cwd: root, files, concurrency: filesAtOnce, timeout, execArgv: [...roomForObjects, followNoPromises] })
  .on('test:summary', ({ success }) => {
    if (!success) process.exitCode = 1;
  })
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(spec)
  .pipe(process.stdout);
