type ExitEvent = 'beforeExit' | 'exit';

type Program = {
  on(event: ExitEvent, listener: () => void): unknown;
  off(event: ExitEvent, listener: () => void): unknown;
};

/**
 * What is to be done at the end of the program: one listener for any number of clients, and none for none.
 */
class ExitList {
  #event: ExitEvent;
  #actions = new Set<() => void>();

  constructor(event: ExitEvent) {
    this.#event = event;
  }

  add(action: () => void): void {
    if (this.#actions.size === 0) findProgram()?.on(this.#event, this.#act);
    this.#actions.add(action);
  }

  remove(action: () => void): void {
    if (this.#actions.delete(action) && this.#actions.size === 0) findProgram()?.off(this.#event, this.#act);
  }

  #act = () => {
    for (const action of this.#actions) action();
  };
}

/** Where the runtime has no such events (on the edge), `waitUntil` sees to the end. */
function findProgram(): Program | undefined {
  const { process } = globalThis as { process?: Partial<Program> };
  return typeof process?.on === 'function' && typeof process.off === 'function'
    ? (process as Program)
    : undefined;
}

// The process has one end, so there is one of each: clients that know nothing of each other share them.
/** Nothing is left to do, but more can still be begun. */
export const beforeExit = new ExitList('beforeExit');
/** The very end: only what needs no wait. */
export const atExit = new ExitList('exit');
