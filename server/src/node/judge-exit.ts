import type { EngineExit } from './engine-process.ts';
import type { EngineState } from './engine-state.ts';

/** Ends before it was ready this often in a row, without a word why: the store is what makes it crash. */
const crashesThatMeanCannotOpen = 3;

export type ExitJudgment = {
  state: EngineState['state'];
  /** How many engines in a row have crashed before they were ready, this one included. */
  crashesBeforeReady: number;
};

/** Only what is wrong with the store itself is called that: an operator may set the store aside for it. */
export function judgeExit(exit: EngineExit, crashesBeforeReady: number): ExitJudgment {
  if (exit.wasReady) return { state: 'restarting', crashesBeforeReady };
  if (isHeldByAnother(exit.message)) return { state: 'locked', crashesBeforeReady };
  if (exit.reason === 'cannot-start' || isForWantOfResources(exit.message))
    return { state: 'cannot-start', crashesBeforeReady };
  const crashes = crashesBeforeReady + 1;
  const isStore = exit.reason === 'cannot-open' || crashes >= crashesThatMeanCannotOpen;
  return { state: isStore ? 'cannot-open' : 'restarting', crashesBeforeReady: crashes };
}

/** chDB's own lock: held by an engine that is not written down, such as one of an older version. */
function isHeldByAnother(message: string): boolean {
  return message.includes('Another server instance in same directory is already running');
}

/**
 * In Node's words or in those of the engine, which may get a process and then no descriptor, memory or
 * thread.
 */
function isForWantOfResources(message: string): boolean {
  return (
    /\b(?:EMFILE|ENFILE|EAGAIN|ENOMEM)\b/i.test(message) ||
    /too many open files|cannot allocate memory|resource temporarily unavailable/i.test(message)
  );
}
