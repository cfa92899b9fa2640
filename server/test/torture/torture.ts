/**
 * Kills parts of a running system at random, and checks that nothing is lost, nothing counted twice and no
 * contingent exceeded. `npm run torture -- --help` lists the modes and options.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modes } from './modes.ts';
import { describeReport, type Report } from './report.ts';
import { describeOptions, OptionError, readTortureOptions, type TortureOptions } from './torture-options.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

process.exit(await main(process.argv.slice(2)));

async function main(words: readonly string[]): Promise<number> {
  let options: TortureOptions | 'help';
  try {
    options = readTortureOptions(words, Object.keys(modes), Date.now() % 1_000_000);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    process.stderr.write(`torture: ${error.message} Run it with --help to see all options.\n`);
    return 2;
  }
  if (options !== 'help') return await runModes(options);
  say(describeOptions(modes));
  return 0;
}

async function runModes(options: TortureOptions): Promise<number> {
  const wanted = Object.entries(modes).filter(([name]) => ['all', name].includes(options.mode));
  const chosen = wanted.filter(([, { whyNot }]) => whyNot?.() === undefined);
  for (const [name, { whyNot }] of wanted)
    if (whyNot?.() !== undefined) say(`mode ${name} can't run here: ${whyNot()}`);
  if (chosen.length === 0) return 2;
  const shares = chosen.reduce((sum, [, { share }]) => sum + share, 0);
  const folder = mkdtempSync(join(tmpdir(), 'trackside-torture-'));
  const lines: string[] = [];
  /** Also if something is thrown. */
  let isBroken = true;
  try {
    for (const [name, mode] of chosen) {
      const ofMode = (whole: number) => (whole * mode.share) / shares;
      const [kills, minutes] = [Math.round(ofMode(options.kills)), ofMode(options.minutes)];
      const own = join(folder, name);
      mkdirSync(own);
      say(`mode ${name}, seed ${options.seed}, ${kills} kills, at most ${minutes.toFixed(0)} minutes`);
      const job = { folder: own, options, seed: options.seed, kills, forMs: minutes * 60_000, say };
      const report = await mode.run(job);
      lines.push(...describeReport(name, withMode(report, name, options)));
      isBroken = report.failures.length > 0;
      if (isBroken) break;
      rmSync(own, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
    for (const line of lines) say(line);
    if (!isBroken) say('Nothing was lost, nothing counted twice, and every contingent was exact.');
  } finally {
    if (isBroken) say(`What the processes wrote, and their data, is in ${folder}`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  return isBroken ? 1 : 0;
}

/** A round is run again in its own mode, and on a system of the same kind. */
function withMode(report: Report, mode: string, { network, nodes, ack }: TortureOptions): Report {
  const words = `--mode ${mode} --network ${network} --nodes ${nodes} --ack ${ack}`;
  const failures = report.failures.map((one) => ({ ...one, again: `${words} ${one.again}` }));
  return { ...report, failures };
}
