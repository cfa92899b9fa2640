import type { Log } from '../core/log.ts';
import type { RefusalReason } from '../intake/refusal.ts';

export type NotedRefusal = {
  reason: RefusalReason;
  requestId: string;
  website: number | undefined;
  message: string;
};
export type RefusalLog = { note(refusal: NotedRefusal): void; stop(): void };

const linesPerSecond = 10;

/** Logs refusals, at most a few lines a second for each reason: a flood of bad requests must not fill the disk. */
export function createRefusalLog(log: Log): RefusalLog {
  const written = new Map<RefusalReason, number>();
  const timer = setInterval(() => {
    for (const [reason, count] of written) {
      if (count > linesPerSecond)
        log.info({ reason, lines: count - linesPerSecond }, 'more refusals, not logged');
    }
    written.clear();
  }, 1000);
  timer.unref();
  return {
    note({ reason, requestId, website, message }) {
      const count = (written.get(reason) ?? 0) + 1;
      written.set(reason, count);
      if (count <= linesPerSecond) log.info({ reason, requestId, website }, message);
    },
    stop: () => clearInterval(timer),
  };
}
