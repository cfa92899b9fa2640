import type { Log } from '../../log.ts';

export type BoundedLog = Log & { stop(): void };

type Level = 'debug' | 'info' | 'warn' | 'error';
type Written = { log: Log; level: Level; about: { reason: string } | { message: string }; lines: number };

const linesPerSecond = 10;

/**
 * Creates a log for lines that strangers can cause. It writes at most a few lines a second of each kind, so
 * that a flood of requests cannot fill the disk, and then how many lines it left out. The kind of a line is
 * its field `reason`, or else its message, which is a fixed text.
 */
export function createBoundedLog(log: Log): BoundedLog {
  const written = new Map<string, Written>();
  const timer = setInterval(() => {
    for (const { log: to, level, about, lines } of written.values()) {
      if (lines > linesPerSecond)
        to[level]({ ...about, lines: lines - linesPerSecond }, 'more lines like this were omitted');
    }
    written.clear();
  }, 1000);
  timer.unref();

  function bound(to: Log): Log {
    const at = (level: Level) => (fields: object | string, message?: string) => {
      const about = typeof fields === 'string' ? { message: fields } : kindOf(fields, message);
      const key = `${level} ${'reason' in about ? about.reason : about.message}`;
      const kind = written.get(key) ?? { log: to, level, about, lines: 0 };
      written.set(key, kind);
      kind.lines += 1;
      if (kind.lines > linesPerSecond) return;
      if (typeof fields === 'string') to[level](fields);
      else to[level](fields, message);
    };
    const levels = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
    return { ...levels, child: ((bindings: object) => bound(to.child(bindings))) as Log['child'] };
  }

  return { ...bound(log), stop: () => clearInterval(timer) };
}

function kindOf(fields: object, message = ''): Written['about'] {
  return 'reason' in fields && typeof fields.reason === 'string' ? { reason: fields.reason } : { message };
}
