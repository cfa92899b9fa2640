import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../support/wait-for.ts';
import { checkRound, untilHealthy } from './check-round.ts';
import { createRandom } from './create-random.ts';
import { openRound, type Round } from './open-round.ts';
import { describeStep, type Step } from './plan-round.ts';
import type { Scene } from './scene.ts';
import { sendMixedLoad } from './send-mixed-load.ts';
import { takeStep } from './take-step.ts';

/** Without records for this long, a step comes anyway: everything may be away. */
const acceptedWithinMs = 5_000;

/** Runs the steps of a round under load, and returns what they broke. */
export async function runRound(options: {
  scene: Scene;
  name: string;
  seed: number;
  steps: readonly Step[];
  limit: number;
  clients: number;
  pauseMs: number;
  onStep: (done: string, faults: readonly string[]) => void;
}): Promise<{ broken: string[]; round: Round; recoveryMs: number }> {
  const { scene, name, seed, steps, limit, clients, pauseMs, onStep } = options;
  for (const node of scene.nodes) await untilHealthy(node);
  const round = await openRound(scene, name, limit);
  const stop = new AbortController();
  let recoveryMs = 0;
  const senders = Array.from({ length: clients }, (_, at) =>
    sendMixedLoad({
      scene,
      round,
      random: createRandom(seed * 1_000 + at),
      pauseMs,
      signal: stop.signal,
    }),
  );
  try {
    for (const step of steps) {
      const before = round.counts.accepted;
      const isEnough = () => round.counts.accepted >= before + step.accepted;
      await waitFor('records to be accepted', isEnough, acceptedWithinMs).catch(() => {});
      await delay(step.afterMs);
      onStep(describeStep(step), await takeStep(scene, round, step));
    }
    recoveryMs = await timeRecovery(scene);
  } finally {
    stop.abort();
    await Promise.all(senders);
  }
  return { broken: await checkRound(scene, round), round, recoveryMs };
}

/** Measures how long the nodes take to be healthy again, still under load. That they are is checked later. */
async function timeRecovery({ nodes }: Scene): Promise<number> {
  const startMs = performance.now();
  await Promise.all(nodes.map((node) => untilHealthy(node).catch(() => {})));
  return performance.now() - startMs;
}
