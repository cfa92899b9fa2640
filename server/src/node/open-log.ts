import { type Logger, pino } from 'pino';
import { escapeControls } from '../text/escape-controls.ts';

const levelNames: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

/**
 * Writes JSON lines for machines, and short lines for a person at a terminal. Text from strangers is escaped
 * in both: sooner or later a log ends up on a terminal, and JSON doesn't escape all of the characters that
 * control one.
 */
export function openLog(options: {
  level: string;
  isTerminal: boolean;
  /** A command prints its result to stdout, so its log must go elsewhere. */
  to?: 'stdout' | 'stderr';
}): Logger {
  const base = { level: options.level, base: {} };
  if (!options.isTerminal) {
    const destination = pino.destination({ dest: options.to === 'stderr' ? 2 : 1, sync: true });
    return pino(base, { write: (line: string) => destination.write(`${escapeControls(line.trimEnd())}\n`) });
  }
  return pino(base, {
    write: (line: string) => process.stdout.write(`${escapeControls(toShortLine(line))}\n`),
  });
}

function toShortLine(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line);
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const error = err?.message === undefined ? [] : [`(${err.message})`];
  const at = new Date(time).toISOString().slice(11, 19);
  return [at, levelNames[level] ?? level, msg, ...error, ...shown].join(' ');
}
