/**
 * Runs a server for half an hour at half its peak with dashboards open, and says what grew meanwhile.
 * `npm run soak -- --help` lists the options.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../server/test/support/wait-for.ts';
import { openTrackside, type Trackside } from './ingest/open-trackside.ts';
import { spreadOf } from './ingest/spread.ts';
import { createProgress } from './soak/create-progress.ts';
import { findPeak } from './soak/find-peak.ts';
import { runSoak, type SoakRun } from './soak/run-soak.ts';
import { findTrends, showTrends } from './soak/show-trends.ts';
import { signIn } from './soak/sign-in.ts';
import { helpText, OptionError, readSoakOptions, type SoakOptions } from './soak/soak-options.ts';

const user = { email: 'soak@trackside.test', password: 'measured for half an hour' };
/** For each minute of the run. The journal may grow to half of its limit before loaded records are removed. */
const journalMegabytes = 20;
const leastMegabytes = 100;
const say = (line: string) => void process.stdout.write(`${line}\n`);

process.exit(await main(process.argv.slice(2)));

async function main(words: readonly string[]): Promise<number> {
  let options: SoakOptions | 'help';
  try {
    options = readSoakOptions(words, Date.now() % 1_000_000);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    process.stderr.write(`soak: ${error.message} Run it with --help to see all options.\n`);
    return 2;
  }
  if (options === 'help') {
    process.stdout.write(helpText);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'trackside-soak-'));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  try {
    const trackside = await openTrackside(folder, options.workers, {
      TRACKSIDE_ADMIN_EMAIL: user.email,
      TRACKSIDE_ADMIN_PASSWORD: user.password,
      ...journalLimits(options),
    });
    const endServer = () => void process.kill(trackside.pid, 'SIGKILL');
    process.once('exit', endServer);
    try {
      return await soak(trackside, options);
    } finally {
      process.off('exit', endServer);
      await trackside.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/**
 * So small that the journal is as large after the warm-up as it ever gets. With the usual settings, that takes
 * hours.
 */
function journalLimits({ minutes }: SoakOptions): Record<string, string> {
  const megabytes = Math.max(leastMegabytes, Math.round(journalMegabytes * minutes));
  return { TRACKSIDE_JOURNAL_MAX_BYTES: `${megabytes}MB`, TRACKSIDE_JOURNAL_RETENTION_HOURS: '1' };
}

async function soak(trackside: Trackside, options: SoakOptions): Promise<number> {
  const { minutes, seed, dashboards, reportFile } = options;
  const { cookie, token } = await signIn(trackside, user);
  await waitFor('the store to be set up', () => trackside.store.isMigrated());
  const peaks = options.rate === undefined ? await findPeak(trackside) : [];
  const perSecond = options.rate ?? Math.round(spreadOf(peaks).median / 2);
  const before = await trackside.untilLoaded();
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`;
  say(
    `${peaks.length > 0 ? `peak ${peaks.map(Math.round).join(', ')} a second; ` : ''}${perSecond} records a ` +
      `second for ${minutes} minutes, ${dashboards} dashboards, seed ${seed}; machine: ${machine}`,
  );
  const totalMs = minutes * 60_000;
  const progress = createProgress({ totalMs, stream: process.stdout });
  const startedAt = new Date().toISOString();
  const run = await runSoak({
    trackside,
    cookie,
    token,
    perSecond,
    totalMs,
    dashboards,
    seed,
    onSample: progress.show,
  });
  progress.end();
  const { rows, accepted } = await trackside.untilLoaded();
  const trends = findTrends(run.samples, run.seen.screens, totalMs);
  const problems = [
    ...findProblems(run, { rows, accepted }),
    ...trends.filter(({ hasGrown }) => hasGrown).map(({ name }) => `${name} grew`),
  ];
  const counts = {
    ...run.seen.counts,
    records: accepted - before.accepted,
    screens: run.seen.screens.length,
  };
  for (const line of showTrends(trends)) say(line);
  say(`${JSON.stringify(counts)}; passing faults: ${JSON.stringify(run.seen.later)}`);
  for (const problem of problems) say(`BROKEN: ${problem}`);
  if (problems.length === 0) say('Nothing grew, and every record is in the store.');
  const report = { startedAt, machine, options, peaks, perSecond, counts, problems, trends, ...run };
  writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  say(`all samples: ${reportFile}`);
  return problems.length > 0 ? 1 : 0;
}

/** What went wrong besides growth. */
function findProblems(
  { samples, seen, statuses, unanswered }: SoakRun,
  { rows, accepted }: { rows: number; accepted: number },
): string[] {
  const refused = Object.entries(statuses).filter(([status]) => status !== '200');
  const restarts = samples.at(-1)?.engineRestarts ?? 0;
  return [
    ...refused.map(([status, count]) => `${count} records were answered with ${status}`),
    ...(unanswered > 0 ? [`${unanswered} records were not answered`] : []),
    ...(rows === accepted ? [] : [`${accepted} records were accepted, ${rows} are in the store`]),
    ...(restarts === 0 ? [] : [`the engine was started again, ${restarts} times`]),
    ...seen.wrong,
  ];
}
