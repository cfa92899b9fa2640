import type { Config } from '../config/config.ts';
import { OperatorError } from '../operator-error.ts';
import type { Clock } from '../time/clock.ts';

/**
 * What a command prints: `json` for scripts, `text` for people. With `isFailure`, the process exits with 1.
 */
export type CommandOutput = { json: unknown; text: string; isFailure?: boolean };

export type CommandInput = {
  /** The command's name without its words and flags: `export`, `website delete`. */
  name: string;
  config: Config;
  clock: Clock;
  /** The words after the command's name. */
  words: string[];
  flags: Record<string, string | boolean | undefined>;
  /** Flags that can be repeated. A flag that was not given has an empty list. */
  lists: Record<string, string[]>;
  /**
   * Tells the person at the terminal what is taking so long. Prints nothing with --json. A passing line is
   * replaced by whatever is printed next.
   */
  progress: (line: string, options?: { isPassing: boolean }) => void;
  /** Prints a line of a result that has no end. */
  print: (line: string) => void;
  /** Whether lines may be colored: a person reads them who hasn't disabled colors. */
  isColored: boolean;
};

export type Command = {
  usage: string;
  help: string;
  /** How many words the command takes. */
  words: { min: number; max: number };
  flags: Record<string, { type: 'string' | 'boolean'; multiple?: true; help: string }>;
  /** Whether root may run it on a data folder of another user, because it writes no files or runs the server. */
  isForAnyUser?: true;
  /** Whether it writes into the data folder itself, even while a server runs. */
  writesBesideServer?: true;
  /** Whether it runs on a data folder without an installation, or says itself what is missing. */
  isForAnyFolder?: true;
  run: (input: CommandInput) => Promise<CommandOutput | undefined>;
};

export class CommandError extends OperatorError {
  override name = 'CommandError';
}
