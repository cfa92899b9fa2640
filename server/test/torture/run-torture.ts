import { countKills, planRound } from './plan-round.ts';
import { addCounts, createReport, noteFaults, type Report, show } from './report.ts';
import { runRound } from './run-round.ts';
import { type Scene, victimsOf } from './scene.ts';

const killsPerRound = 10;

/**
 * Kills at random under load, in rounds. After each, everything is running again and every promise is checked.
 * The first round has the given seed, the next one the seed after it, and so on. Ends after the first round
 * that broke something.
 */
export async function runTorture(options: {
  scene: Scene;
  seed: number;
  kills: number;
  /** No round begins after this much time. */
  forMs: number;
  limit: number;
  clients: number;
  pauseMs: number;
  say: (line: string) => void;
}): Promise<Report> {
  const { scene, seed, kills, forMs, say, ...load } = options;
  const report = createReport();
  const startMs = performance.now();
  while (report.kills < kills && performance.now() - startMs < forMs && report.failures.length === 0) {
    const roundSeed = seed + report.rounds;
    const steps = planRound(roundSeed, Math.min(killsPerRound, kills - report.kills), victimsOf(scene));
    const planned = steps.reduce((sum, step) => sum + countKills(step), 0);
    say(`round ${report.rounds + 1}, seed ${roundSeed}: ${planned} kills and cuts`);
    const { broken, round, recoveryMs } = await runRound({
      scene,
      name: `${report.rounds + 1}-${roundSeed}`,
      seed: roundSeed,
      steps,
      ...load,
      onStep: (done, faults) => {
        noteFaults(report, faults);
        say(`${minutes(performance.now() - startMs)}, ${report.kills} of ${kills}: ${done}`);
      },
    });
    report.rounds += 1;
    addCounts(report, round.counts);
    report.slowestRecoveryMs = Math.max(report.slowestRecoveryMs, recoveryMs);
    const again = `--seed ${roundSeed} --kills ${planned} --clients ${load.clients}`;
    if (broken.length > 0) report.failures.push({ seed: roundSeed, again, broken });
    else
      say(`round ${report.rounds} held: ${show(round.counts)}; the contingent of ${round.limit} was exact`);
  }
  return report;
}

const minutes = (ms: number) => `${(ms / 60_000).toFixed(1)} min`;
