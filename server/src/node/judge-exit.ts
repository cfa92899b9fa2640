import type { EngineExit } from './engine-process.ts';
import type { EngineState } from './engine-state.ts';

/**
 * If the engine ends this many times in a row before it is ready, without giving a reason, the store makes it
 * crash.
 */
const crashesThatMeanCannotOpen = 3;

export type ExitJudgment = {
  state: EngineState['state'];
  /** How many engines in a row have crashed before they were ready, including this one. */
  crashesBeforeReady: number;
};

/**
 * `cannot-open` is used only if something is wrong with the store itself, because an operator may then set
 * the store aside.
 */
export function judgeExit(exit: EngineExit, crashesBeforeReady: number): ExitJudgment {
  if (exit.wasReady) return { state: 'restarting', crashesBeforeReady };
  if (isHeldByAnother(exit.message)) return { state: 'locked', crashesBeforeReady };
  if (exit.reason === 'cannot-start' || isForWantOfResources(exit.message))
    return { state: 'cannot-start', crashesBeforeReady };
  const crashes = crashesBeforeReady + 1;
  const isStore = exit.reason === 'cannot-open' || crashes >= crashesThatMeanCannotOpen;
  return { state: isStore ? 'cannot-open' : 'restarting', crashesBeforeReady: crashes };
}

/** chDB's own lock is held by an engine that isn't written down, such as one of an older version. */
function isHeldByAnother(message: string): boolean {
  return message.includes('Another server instance in same directory is already running');
}

/**
 * The message comes from Node or from the engine, which may get a process but then no descriptor, memory or
 * thread.
 */
function isForWantOfResources(message: string): boolean {
  return (
    /\b(?:EMFILE|ENFILE|EAGAIN|ENOMEM)\b/i.test(message) ||
    /too many open files|cannot allocate memory|resource temporarily unavailable/i.test(message)
  );
}
