import { createRandom, type Random } from './create-random.ts';

export const cuts = ['refused', 'silent', 'node-gone', 'service-gone', 'slow'] as const;
/**
 * How a connection fails: it is reset, nothing arrives anymore, one end is gone and the other isn't told, or
 * everything arrives late.
 */
export type Cut = (typeof cuts)[number];

export type Step = {
  /** Before the step, this many more records are accepted, and then this much time passes. */
  accepted: number;
  afterMs: number;
} & (
  | {
      kind: 'kill';
      victims: string[];
      /** How long it stays away, and after which times of its next start-ups it is killed again. */
      awayMs: number;
      againAfterMs: number[];
    }
  /** Asked to stop, and killed while it does. */
  | { kind: 'stop'; victims: string[]; killAfterMs: number; awayMs: number }
  | { kind: 'cut'; link: string; cut: Cut; forMs: number }
  /** A command is started, and something is killed while it runs. Without victims, it is the command. */
  | { kind: 'work'; work: string; victims: string[]; killAfterMs: number; awayMs: number }
  /** Something else goes wrong that the scene knows. */
  | { kind: 'fault'; fault: string; forMs: number }
);

/** What there is to kill, to cut and to interrupt. Children come back on their own. */
export type Victims = {
  parts: string[];
  children: string[];
  links: string[];
  works: string[];
  faults: string[];
};

/** Plans what happens in a round. The seed alone decides, so a failure can be tried again. */
export function planRound(seed: number, kills: number, victims: Victims): Step[] {
  const random = createRandom(seed);
  const steps: Step[] = [];
  for (let planned = 0; planned < kills; ) {
    const step = planStep(random, victims);
    steps.push(step);
    planned += countKills(step);
  }
  return steps;
}

export function countKills(step: Step): number {
  if (step.kind === 'cut' || step.kind === 'fault') return 1;
  if (step.kind === 'stop') return step.victims.length;
  if (step.kind === 'work') return Math.max(1, step.victims.length);
  return step.victims.length * (1 + step.againAfterMs.length);
}

function planStep(random: Random, { parts, children, links, works, faults }: Victims): Step {
  const when = {
    accepted: random.isOnce(2) ? random.whole(5, 40) : 0,
    afterMs: random.isOnce(3) ? random.whole(0, 250) : random.whole(0, 2_000),
  };
  if (links.length > 0 && random.isOnce(4)) {
    const forMs = random.isOnce(4) ? random.whole(5_000, 16_000) : random.whole(100, 4_000);
    return { ...when, kind: 'cut', link: random.pick(links), cut: random.pick(cuts), forMs };
  }
  // Most of what happens in a scene that knows faults is one of them.
  if (faults.length > 0 && !random.isOnce(4)) {
    const forMs = random.isOnce(3) ? random.whole(3_000, 9_000) : random.whole(0, 2_000);
    return { ...when, kind: 'fault', fault: random.pick(faults), forMs };
  }
  const awayMs = random.isOnce(2) ? 0 : random.whole(0, 1_500);
  if (works.length > 0 && random.isOnce(5)) {
    const all = [...parts, ...children];
    const victims = random.pick([[], [random.pick(all)], [random.pick(all)], all]);
    const killAfterMs = random.whole(0, 4_000);
    return { ...when, kind: 'work', work: random.pick(works), victims, killAfterMs, awayMs };
  }
  if (random.isOnce(10))
    return { ...when, kind: 'kill', victims: [...parts, ...children], awayMs, againAfterMs: [] };
  if (random.isOnce(6))
    return {
      ...when,
      kind: 'stop',
      victims: [random.pick(parts)],
      killAfterMs: random.whole(0, 1_500),
      awayMs,
    };
  const victims = [random.pick([...parts, ...children])];
  const again = random.isOnce(3) ? random.whole(1, 2) : 0;
  const againAfterMs = Array.from({ length: again }, () => random.whole(0, 2_500));
  return { ...when, kind: 'kill', victims, awayMs, againAfterMs };
}

/** Says in words what a step does, for the progress and the report. */
export function describeStep(step: Step): string {
  const when = `after ${step.accepted} records and ${step.afterMs} ms`;
  if (step.kind === 'cut') return `${when}: ${step.link} ${step.cut} for ${step.forMs} ms`;
  if (step.kind === 'fault') return `${when}: ${step.fault}, for ${step.forMs} ms`;
  const who = step.victims.join(', ') || 'the command';
  if (step.kind === 'work')
    return `${when}: ${step.work}, kill ${who} ${step.killAfterMs} ms later, away for ${step.awayMs} ms`;
  if (step.kind === 'stop')
    return `${when}: stop ${who}, kill it ${step.killAfterMs} ms later, away for ${step.awayMs} ms`;
  const again = step.againAfterMs.map((ms) => `, killed again ${ms} ms after its start`).join('');
  return `${when}: kill ${who}, away for ${step.awayMs} ms${again}`;
}
