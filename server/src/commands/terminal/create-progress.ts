import type { CommandInput } from '../command.ts';

export type Terminal = { isTTY?: boolean; columns?: number; write(text: string): unknown };

const clearLine = '\r\u001b[K';

/** Shows a person at a terminal what takes long. Writes nothing where nobody watches. */
export function createProgress(options: { terminal: Terminal; isSilent: boolean }): {
  show: CommandInput['progress'];
  /** Takes a passing line away, so that what is printed next has a line of its own. */
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
      // A line that is wrapped could not be taken away any more.
      if (isPassing) terminal.write(line.slice(0, (terminal.columns || 80) - 1));
      else terminal.write(`${line}\n`);
      hasPassingLine = isPassing;
    },
  };
}
