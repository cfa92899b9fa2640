/**
 * Sends random requests to a server of its own: records, questions and forms that are nearly valid. Checks that
 * none of them makes it fail, hang or pause, that a refusal names what is wrong, and that every record that was
 * answered with 200 is counted exactly once.
 * Options: --cases 1000000; --seed (any number); --minutes 60; --connections 8; --families record,question,form
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { samplePassword } from '../support/route-samples.ts';
import { startTrackside } from '../support/start-trackside.ts';
import { waitFor } from '../support/wait-for.ts';
import { openFuzzTargets } from './fuzz-targets.ts';
import { runFuzz } from './run-fuzz.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '60' },
    connections: { type: 'string', default: '8' },
    families: { type: 'string', default: 'record,question,form' },
  },
});
const maxPauseMs = 50;
const say = (line: string) => process.stdout.write(`${line}\n`);
const [cases, seed, minutes, connections] = [
  readNumber('cases'),
  readNumber('seed'),
  readNumber('minutes'),
  readNumber('connections'),
];

const folder = mkdtempSync(join(tmpdir(), 'trackside-fuzz-'));
const pausesFile = join(folder, 'pauses');
const cleanUps: (() => Promise<void>)[] = [];
const email = 'ada@example.com';
let hasFailed = true;
try {
  const trackside = await startTrackside(
    { after: (cleanUp) => void cleanUps.push(cleanUp) },
    {
      environment: {
        TRACKSIDE_ADMIN_EMAIL: email,
        TRACKSIDE_ADMIN_PASSWORD: samplePassword,
        FUZZ_PAUSES_FILE: pausesFile,
      },
      nodeArguments: ['--import', import.meta.resolve('./watch-pauses.ts')],
    },
  );
  const origin = trackside.origin();
  await waitFor('the store to be set up', () => trackside.store.isMigrated());
  const { targets, websiteId } = await openFuzzTargets({ origin, email });
  const chosen = targets.filter(({ family }) => values.families.split(',').includes(family));
  // The first requests compile code.
  const warmUp = await runFuzz({
    origin,
    targets: chosen,
    seed: seed + 500_000,
    cases: 500,
    untilMs: performance.now() + 60_000,
    connections,
  });
  const before = await settledRows();
  say(`seed ${seed}, ${cases} cases, at most ${minutes} minutes`);
  const startedAt = Date.now();
  const untilMs = performance.now() + minutes * 60_000;
  const report = await runFuzz({ origin, targets: chosen, seed, cases, untilMs, connections, say });
  const problems = [...warmUp.failures, ...report.failures].map(
    ({ seed: own, says }) => `seed ${own}: ${says}`,
  );
  const counted = (await settledRows()) - before;
  if (counted !== report.accepted)
    problems.push(`${report.accepted} records were accepted, ${counted} are counted`);
  const pauses = readPauses(startedAt);
  const longestMs = Math.max(0, ...pauses);
  if (longestMs > maxPauseMs) problems.push(`the event loop was busy for ${longestMs} ms at once`);
  if (trackside.hasEnded()) problems.push('the server has ended');
  const bad = trackside
    .output()
    .split('\n')
    .filter((line) => /"level":(50|60)|request failed/.test(line));
  problems.push(...[...new Set(bad)].slice(0, 5).map((line) => `log: ${line.slice(0, 600)}`));
  say(
    `${report.cases} cases in ${Math.round((Date.now() - startedAt) / 1000)} s: ${JSON.stringify(report.statuses)}`,
  );
  say(`${counted} records counted; longest turn of the event loop: ${longestMs} ms of processor time`);
  for (const problem of problems) say(`BROKEN: ${problem}`);
  hasFailed = problems.length > 0;

  /** How many records of the website are in the store, once everything is. */
  async function settledRows(): Promise<number> {
    await trackside.untilTakenUp();
    for (let last = -1; ; ) {
      const rows = await trackside.countRows(`website_id = ${websiteId}`);
      if (rows === last) return rows;
      last = rows;
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  }
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(hasFailed ? 1 : 0);

function readPauses(since: number): number[] {
  const lines = existsSync(pausesFile)
    ? readFileSync(pausesFile, 'utf8').trim().split('\n').filter(Boolean)
    : [];
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ at }) => at > since)
    .map(({ tookMs }) => tookMs);
}

function readNumber(name: 'cases' | 'seed' | 'minutes' | 'connections'): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  say(`--${name}: expected a whole number above 0, got "${values[name]}".`);
  return process.exit(2);
}
