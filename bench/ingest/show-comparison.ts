import { cpus } from 'node:os';
import type { Turn } from './compare-in-turns.ts';
import { showSpread, spreadOf } from './spread.ts';

/**
 * Says how each server did against the first one, and what each answer cost. Rates depend on what else runs on
 * the machine; ratios within a round do so less, and processor time hardly at all.
 */
export function showComparison(names: readonly string[], rounds: readonly Turn[][]): string[] {
  const ratesOver = (at: number, other: number) =>
    spreadOf(rounds.map((turns) => turns[at]!.perSecond / turns[other]!.perSecond));
  const costOf = (at: number, cost: (turn: Turn) => number) =>
    spreadOf(rounds.map((turns) => cost(turns[at]!)));
  return names.flatMap((name, at) => {
    const rate = costOf(at, (turn) => turn.perSecond);
    const [node, engine, load] = (['nodeUs', 'engineUs', 'loadUs'] as const).map((part) =>
      costOf(at, (turn) => turn[part]),
    );
    const all = costOf(at, (turn) => turn.nodeUs + turn.engineUs + turn.loadUs);
    const perServerSecond = costOf(at, (turn) => 1e6 / turn.nodeUs);
    const perBothSecond = costOf(at, (turn) => 1e6 / (turn.nodeUs + turn.engineUs));
    const p99 = costOf(at, (turn) => turn.p99Ms);
    const perSecond = Math.round((cpus().length * 1e6) / all.median);
    const ratios = names
      .slice(0, at)
      .map((other, to) => `${showSpread(ratesOver(at, to), 2)} times ${other}`)
      .join(', ');
    return [
      `${name}: ${showSpread(rate, 0)} records a second${ratios && `; ${ratios}`}`,
      `  µs of processor time a record: server ${showSpread(node!, 1)}, engine ${showSpread(engine!, 1)}, ` +
        `load generator ${showSpread(load!, 1)}; with all of them on ${cpus().length} processors, ` +
        `at most ${perSecond} a second`,
      `  records per second of processor time: server ${showSpread(perServerSecond, 0)}, ` +
        `with its engine ${showSpread(perBothSecond, 0)}; p99 at the peak ${showSpread(p99, 1)} ms`,
    ];
  });
}
