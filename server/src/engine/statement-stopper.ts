import { setTimeout as delay } from 'node:timers/promises';
import type { ChdbResult } from 'chdb';
import type { HeldSession, Statement } from './held-session.ts';
import type { SessionPool } from './session-pool.ts';

/**
 * A statement may not have started yet when it is told to stop, and it checks for that only between two
 * blocks.
 */
const againAfterMs = { first: 20, most: 1000 };

/**
 * Stops statements whose client has disconnected. chDB has no call for that, and a query that was started
 * keeps running. But KILL QUERY works from one session to another, so one session is reserved for it.
 */
export class StatementStopper {
  readonly #sessions: SessionPool;
  #count = 0;

  constructor(sessions: SessionPool) {
    this.#sessions = sessions;
  }

  /**
   * Settles when the native query has ended, whether it was stopped or not. Only then is its session free.
   */
  async run(session: HeldSession, statement: Statement, gone: AbortSignal): Promise<ChdbResult> {
    // chDB makes up the ids of its queries and rewrites their text, but it keeps this setting unchanged.
    const mark = `trackside ${++this.#count}`;
    const settings = new Map([...statement.settings, ['log_comment', mark]]);
    const ended = new AbortController();
    const stop = () => void this.#stop(mark, ended.signal);
    gone.addEventListener('abort', stop, { once: true });
    try {
      return await session.run({ ...statement, settings }, gone);
    } finally {
      gone.removeEventListener('abort', stop);
      ended.abort();
    }
  }

  async #stop(mark: string, ended: AbortSignal): Promise<void> {
    const kill = {
      sql: `kill query where Settings['log_comment'] = '${mark}'`,
      format: 'Null',
      database: 'default',
      params: new Map(),
      settings: new Map(),
    };
    for (let waitMs = againAfterMs.first; !ended.aborted; waitMs = Math.min(2 * waitMs, againAfterMs.most)) {
      // A statement that can't be stopped ends at its own time limit.
      await this.#sessions.use(ended, (session) => session.run(kill, ended)).catch(() => {});
      await delay(waitMs, undefined, { signal: ended }).catch(() => {});
    }
  }
}
