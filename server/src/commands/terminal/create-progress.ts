import type { CommandInput } from '../command.ts';

export type Terminal = { isTTY?: boolean; columns?: number; write(text: string): unknown };

const clearLine = '\r\u001b[K';

/** Shows a person at a terminal what is taking long. Writes nothing when nobody is watching. */
export function createProgress(options: { terminal: Terminal; isSilent: boolean }): {
  show: CommandInput['progress'];
  /** Erases a passing line, so that the next output gets its own line. */
  end(): void;
} {
  const { terminal, isSilent } = options;
  let hasPassingLine = false;

  function end(): void {
    if (hasPassingLine) terminal.write(clearLine);
    hasPassingLine = false;
  }

  return {
    end,
    show(line, { isPassing } = { isPassing: false }) {
      if (isSilent || terminal.isTTY !== true) return;
      end();
      // A line that wraps could not be erased.
      if (isPassing) terminal.write(line.slice(0, (terminal.columns || 80) - 1));
      else terminal.write(`${line}\n`);
      hasPassingLine = isPassing;
    },
  };
}
