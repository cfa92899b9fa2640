import { type LimitedRun, limitConcurrency } from '../concurrency/limit-concurrency.ts';
import { EngineError, faults } from './engine-error.ts';
import type { HeldSession } from './held-session.ts';

/** Gives each request its own session. The queue for sessions is bounded. */
export class SessionPool {
  readonly #idle: HeldSession[];
  readonly #inLine: LimitedRun;

  constructor(sessions: readonly HeldSession[], maxWaiting: number) {
    this.#idle = [...sessions];
    const places = sessions.length;
    const busy = `all ${places} sessions are busy and ${maxWaiting} statements wait already`;
    const whenFull = () => new EngineError(faults.tooManyQueries, `${busy}; try again later.`);
    this.#inLine = limitConcurrency({ places, maxWaiting, whenFull });
  }

  /**
   * The session is returned only when `work` has settled. So `work` must last as long as the native query,
   * even if the client has left: a second query on a busy session would wait behind the first.
   */
  async use<Result>(gone: AbortSignal, work: (session: HeldSession) => Promise<Result>): Promise<Result> {
    const useIdle = async () => {
      const session = this.#idle.pop()!;
      try {
        return await work(session);
      } finally {
        this.#idle.push(session);
      }
    };
    return await this.#inLine(useIdle, { signal: gone });
  }

  /**
   * Refuses those who are waiting and everyone who comes later. Resolves when nothing is running anymore.
   */
  close(): Promise<void> {
    return this.#inLine.close(new EngineError(faults.stopping, 'the engine is stopping.'));
  }
}
