import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkClockRound } from './check-clock-round.ts';
import { untilHealthy } from './check-round.ts';
import { createRandom } from './create-random.ts';
import type { Mode } from './mode.ts';
import { type ClockScene, openClockScene } from './open-clock-scene.ts';
import { type ClockStep, describeClockStep, planClock, roundStartMs } from './plan-clock.ts';
import { addCounts, createReport, noteFaults, show } from './report.ts';
import { openClockRound, sendClockLoad } from './send-clock-load.ts';

const faultsPerRound = 8;
const limitOfMonth = 150;
const timezones = ['UTC', 'Europe/Berlin', 'Pacific/Auckland', 'Pacific/Honolulu', 'Asia/Kathmandu'];
/** How long a midnight is watched from both sides. */
const aroundMs = 1_500;

/** Sets the clock of a server under load, and checks contingents, visitors, visits and times. */
export const clockMode: Mode = {
  about: 'a server whose clock is set forward and back, at the ends of months and around a leap day',
  share: 1,
  async run({ folder, seed, kills, forMs, options, say }) {
    const report = createReport();
    const startMs = performance.now();
    const scene = await openClockScene(folder, roundStartMs);
    try {
      while (report.kills < kills && performance.now() - startMs < forMs && report.failures.length === 0) {
        const roundSeed = seed + report.rounds;
        const steps = planClock(roundSeed, Math.min(faultsPerRound, kills - report.kills));
        say(`round ${report.rounds + 1}, seed ${roundSeed}: ${steps.length} settings of the clock and kills`);
        const ran = await runClockRound(scene, roundSeed, steps, {
          clients: options.clients,
          limit: limitOfMonth,
          onStep: (step) => {
            noteFaults(report, [nameStep(step)]);
            say(`${report.kills} of ${kills}: ${describeClockStep(step)}`);
          },
        });
        report.rounds += 1;
        addCounts(report, ran.round.counts);
        report.slowestRecoveryMs = Math.max(report.slowestRecoveryMs, ran.recoveryMs);
        const again = `--seed ${roundSeed} --kills ${steps.length} --clients ${options.clients}`;
        if (ran.broken.length > 0) report.failures.push({ seed: roundSeed, again, broken: ran.broken });
        else say(`round ${report.rounds} held: ${show(ran.round.counts)}`);
      }
      return report;
    } finally {
      writeFileSync(join(folder, 'output.log'), scene.output());
      await scene.end();
    }
  },
};

/** Takes the steps of a round under load, and returns what they broke. */
export async function runClockRound(
  scene: ClockScene,
  seed: number,
  steps: readonly ClockStep[],
  options: { clients: number; limit: number; onStep?: (step: ClockStep) => void },
) {
  const { clients, limit, onStep } = options;
  const random = createRandom(seed);
  await scene.setClock(roundStartMs);
  await untilHealthy(scene.node);
  const round = await openClockRound(scene, String(seed), random.pick(timezones), limit);
  const stop = new AbortController();
  const { signal } = stop;
  const senders = Array.from({ length: clients }, (_, at) =>
    sendClockLoad({ scene, round, random: createRandom(seed * 1_000 + at), signal }),
  );
  let recoveryMs = 0;
  try {
    await delay(aroundMs);
    for (const step of steps) {
      await takeClockStep(scene, step);
      onStep?.(step);
    }
    const sinceMs = performance.now();
    await untilHealthy(scene.node).catch(() => {});
    recoveryMs = performance.now() - sinceMs;
  } finally {
    stop.abort();
    await Promise.all(senders);
  }
  return { round, recoveryMs, broken: await checkClockRound(scene, round) };
}

async function takeClockStep(scene: ClockScene, step: ClockStep): Promise<void> {
  if (step.kind === 'midnight') {
    await scene.setClock(step.atMs - step.beforeMs);
    return await delay(step.beforeMs + aroundMs);
  }
  if (step.kind === 'kill') await scene.part.kill();
  if (step.byMs !== 0) await scene.setClock(scene.now() + step.byMs);
  if (step.kind === 'kill') await scene.part.launch();
  await delay(step.forMs);
}

function nameStep(step: ClockStep): string {
  if (step.kind === 'midnight') return `midnight of ${new Date(step.atMs).toISOString().slice(0, 13)} UTC`;
  const by = step.byMs === 0 ? 'clock unchanged' : `clock set ${step.byMs < 0 ? 'back' : 'forward'}`;
  return step.kind === 'kill' ? `node, ${by} while it was away` : by;
}
