import { readCpu, readLoadCpu } from './read-cpu.ts';
import type { LoadResult } from './send-closed-loop.ts';

/** A server that takes part. */
export type Contestant = {
  name: string;
  pid: number;
  run: () => Promise<LoadResult>;
  /** Settles when the server has done everything that a round has left it with. */
  settle: () => Promise<unknown>;
};

export type Turn = LoadResult & {
  /** Processor time for each answer in µs: of the server, its engine and the load generator. */
  nodeUs: number;
  engineUs: number;
  loadUs: number;
};

/**
 * Lets servers take turns in short rounds: A B C, A B C and so on. Other programs on the machine then disturb
 * all of them alike, and a ratio within a round says more than two long runs. The processor time of a turn
 * includes loading its records into the store, so nothing of it is left for the next turn.
 */
export async function compareInTurns(options: {
  contestants: readonly Contestant[];
  rounds: number;
  onRound: (round: number, turns: Turn[]) => void;
}): Promise<Turn[][]> {
  const { contestants, rounds, onRound } = options;
  // The first turn of each is not counted: code is compiled, and connections to the store are opened.
  for (const contestant of contestants) await takeTurn(contestant);
  const all: Turn[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns: Turn[] = [];
    for (const contestant of contestants) turns.push(await takeTurn(contestant));
    all.push(turns);
    onRound(round, turns);
  }
  return all;
}

async function takeTurn({ pid, run, settle }: Contestant): Promise<Turn> {
  const [before, loadBefore] = [readCpu(pid), readLoadCpu()];
  const result = await run();
  const loadAfter = readLoadCpu();
  await settle();
  const after = readCpu(pid);
  const each = (micros: number) => micros / Math.max(1, result.answers);
  return {
    ...result,
    nodeUs: each(after.node - before.node),
    engineUs: each(after.engine - before.engine),
    loadUs: each(loadAfter - loadBefore),
  };
}
