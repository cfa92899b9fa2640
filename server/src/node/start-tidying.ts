import { auditLogKeptMs } from '../control/accounts/audit-log.ts';
import type { Control } from '../control/open-control.ts';
import { numbersKeptMs, talliesKeptMs } from '../control/tally/tallies.ts';
import { hourMs, hourOf } from '../control/tally/tally-rows.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import { createSettledClock } from '../time/settled-clock.ts';
import { repeat } from './repeat.ts';

/** After the start, for servers that are restarted often. The clock must have settled by then. */
const firstMs = 15 * 60_000;

/** Removes what is too old from control, once an hour. Each part is on its own, so none waits for another. */
export function startTidying(options: {
  control: Pick<Control, 'sessions' | 'auditLog' | 'tallies'>;
  clock: Clock;
  /** How long the clock must have run correctly before anything is removed because of its age. */
  clockSettleMs: number;
  log: Log;
}): { stop(): Promise<void> } {
  const { clock, log } = options;
  const { tallies, sessions, auditLog } = options.control;
  const settledNow = createSettledClock(clock, options.clockSettleMs);
  const tidy = (failure: string, work: (nowMs: number, signal: AbortSignal) => Promise<unknown>) =>
    repeat({
      intervalMs: hourMs,
      firstMs,
      async work(signal) {
        const nowMs = settledNow();
        if (nowMs !== undefined) await work(nowMs, signal);
      },
      log,
      failure,
    });
  const all = [
    tidy('cannot count the numbers of old hours for good', (nowMs, signal) =>
      tallies.fold(hourOf(nowMs - numbersKeptMs) + hourMs, signal),
    ),
    tidy('cannot remove old tallies', (nowMs) => tallies.clearOlderThan(nowMs - talliesKeptMs)),
    tidy('cannot remove old sessions', () => sessions.clearExpired()),
    tidy('cannot remove old entries of the audit log', () => auditLog.clearOlderThan(auditLogKeptMs)),
  ];
  return {
    async stop() {
      await Promise.all(all.map((part) => part.stop()));
    },
  };
}
