import type { Terrain } from './draw-contours.ts';

type Hill = { x: number; y: number; height: number; width: number; turn: number };

/**
 * Makes up a piece of land, the same one for the same seed: hills of different sizes with small waves on
 * them.
 */
export function makeTerrain(seed: number, kind: 'peaks' | 'fjord' | 'island'): Terrain {
  const random = createRandom(seed);
  const between = (low: number, high: number) => low + random() * (high - low);
  const count = { peaks: 7, fjord: 9, island: 5 }[kind];
  const edge = kind === 'island' ? 0.36 : 0.1;
  const hills: Hill[] = Array.from({ length: count }, () => ({
    x: between(edge, 1 - edge),
    y: between(edge, 1 - edge),
    turn: between(0, Math.PI),
    height: between(0.35, 1),
    width: between(0.13, 0.3),
  }));
  const phase = between(0, 6);
  const base = { peaks: 0.16, fjord: -0.02, island: -0.08 }[kind];

  const heightOf = (x: number, y: number): number => {
    const hilly = hills.reduce((sum, hill) => sum + heightOn(hill, x, y), base);
    const waves = 0.035 * Math.sin(11 * x + phase) * Math.cos(9 * y - phase) + 0.02 * Math.sin(23 * (x + y));
    const shore =
      kind === 'island' ? 0.55 * Math.max(0, Math.hypot((x - 0.5) * 1.25, y - 0.5) - 0.25) * 2 : 0;
    const inlet =
      kind === 'fjord'
        ? (0.6 + 1.2 * y) * valley(x - 0.5 - 0.2 * Math.sin(4.5 * y + phase), 0.05 + 0.07 * y)
        : 0;
    return hilly + waves - shore - inlet;
  };
  const highest = Math.max(...grid().map(([x, y]) => heightOf(x, y)));
  return (x, y) => heightOf(x, y) / highest;
}

function heightOn({ x, y, height, width, turn }: Hill, atX: number, atY: number): number {
  const [dx, dy] = [atX - x, (atY - y) * 1.3];
  const along = dx * Math.cos(turn) + dy * Math.sin(turn);
  const across = dy * Math.cos(turn) - dx * Math.sin(turn);
  return height * Math.exp(-((along / (1.5 * width)) ** 2) - (across / width) ** 2);
}

const valley = (distance: number, width: number): number => Math.exp(-((distance / width) ** 2));

function grid(): [number, number][] {
  return Array.from({ length: 400 }, (_, index) => [(index % 20) / 19, Math.floor(index / 20) / 19]);
}

/** Creates Lehmer's generator, which is good enough for a landscape. */
function createRandom(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
