import { setTimeout as delay } from 'node:timers/promises';
import type { ChdbResult } from 'chdb';
import type { HeldSession, Statement } from './held-session.ts';
import type { SessionPool } from './session-pool.ts';

/**
 * A statement may not have begun when it is told to stop, and looks whether it should only between two
 * blocks.
 */
const againAfterMs = { first: 20, most: 1000 };

/**
 * Stops statements whose asker has gone. chDB has no call for that: a query that it was handed goes on. But
 * KILL QUERY reaches from one session to another, so one is kept for it.
 */
export class StatementStopper {
  readonly #sessions: SessionPool;
  #count = 0;

  constructor(sessions: SessionPool) {
    this.#sessions = sessions;
  }

  /** Settles when the native query has ended, stopped or not: its session is free then, and not before. */
  async run(session: HeldSession, statement: Statement, gone: AbortSignal): Promise<ChdbResult> {
    // chDB makes up the ids of its queries, and writes their text anew; this setting is there as it was
    // given.
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
      // One that cannot be stopped ends by its own limit of time.
      await this.#sessions.use(ended, (session) => session.run(kill, ended)).catch(() => {});
      await delay(waitMs, undefined, { signal: ended }).catch(() => {});
    }
  }
}
