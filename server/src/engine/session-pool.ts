import { EngineError, faults } from './engine-error.ts';
import type { HeldSession } from './held-session.ts';

type Waiter = { start: (session: HeldSession) => void; refuse: (error: Error) => void };

/** Hands out sessions one request each; the line in front of them is bounded. */
export class SessionPool {
  readonly #sessions: readonly HeldSession[];
  readonly #idle: HeldSession[];
  readonly #maxWaiting: number;
  #waiting: Waiter[] = [];
  #isClosed = false;
  #whenIdle: (() => void) | undefined;

  constructor(sessions: readonly HeldSession[], maxWaiting: number) {
    this.#sessions = sessions;
    this.#idle = [...sessions];
    this.#maxWaiting = maxWaiting;
  }

  /**
   * The session is given back only when `work` has settled. So `work` must last as long as the native query,
   * also when the one who asked has gone: a second query on a busy session would wait behind the first.
   */
  async use<Result>(gone: AbortSignal, work: (session: HeldSession) => Promise<Result>): Promise<Result> {
    const session = await this.#take(gone);
    try {
      return await work(session);
    } finally {
      this.#giveBack(session);
    }
  }

  /** Refuses those who wait and whoever comes later; resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(stoppingError());
    if (this.#idle.length < this.#sessions.length) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
  }

  #take(gone: AbortSignal): Promise<HeldSession> {
    if (this.#isClosed) return Promise.reject(stoppingError());
    if (gone.aborted) return Promise.reject(gone.reason);
    const session = this.#idle.pop();
    if (session !== undefined) return Promise.resolve(session);
    if (this.#waiting.length >= this.#maxWaiting) {
      const text = `all ${this.#sessions.length} sessions are busy and ${this.#maxWaiting} statements wait already; try again later.`;
      return Promise.reject(new EngineError(faults.tooManyQueries, text));
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(gone.reason);
      };
      const settle = () => gone.removeEventListener('abort', leave);
      const waiter: Waiter = {
        start: (next) => {
          settle();
          resolve(next);
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      this.#waiting.push(waiter);
      gone.addEventListener('abort', leave, { once: true });
    });
  }

  #giveBack(session: HeldSession): void {
    const waiter = this.#waiting.shift();
    if (waiter !== undefined) {
      waiter.start(session);
      return;
    }
    this.#idle.push(session);
    if (this.#idle.length === this.#sessions.length) this.#whenIdle?.();
  }
}

function stoppingError(): EngineError {
  return new EngineError(faults.stopping, 'the engine is stopping.');
}
