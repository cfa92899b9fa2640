type ExitEvent = 'beforeExit' | 'exit';

type Program = {
  on(event: ExitEvent, listener: () => void): unknown;
  off(event: ExitEvent, listener: () => void): unknown;
};

/**
 * Actions for the end of the program: one listener for any number of clients, and none if there are no
 * clients.
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

/** Finds the process. Runtimes without such events (on the edge) use `waitUntil` instead. */
function findProgram(): Program | undefined {
  const { process } = globalThis as { process?: Partial<Program> };
  return typeof process?.on === 'function' && typeof process.off === 'function'
    ? (process as Program)
    : undefined;
}

// A process ends once, so there is one list of each kind, which all clients share.
/** Runs when nothing is left to do, but more work can still be started. */
export const beforeExit = new ExitList('beforeExit');
/** Runs at the very end, for work that needs no waiting. */
export const atExit = new ExitList('exit');
