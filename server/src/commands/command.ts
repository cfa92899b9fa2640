import type { Config } from '../config.ts';
import { OperatorError } from '../operator-error.ts';
import type { Clock } from '../time/clock.ts';

/**
 * What a command prints: `json` for scripts, `text` for people. `isFailure` makes the process exit with 1.
 */
export type CommandOutput = { json: unknown; text: string; isFailure?: boolean };

export type CommandInput = {
  /** What was typed to run it, without the words and flags that follow: `export`, `website delete`. */
  name: string;
  config: Config;
  clock: Clock;
  /** Words behind the command's name. */
  words: string[];
  flags: Record<string, string | boolean | undefined>;
  /** Flags that can be given several times; empty when not given. */
  lists: Record<string, string[]>;
  /**
   * Tells the person what takes long; silent with --json. A passing line gives way to whatever comes next.
   */
  progress: (line: string, options?: { isPassing: boolean }) => void;
};

export type Command = {
  usage: string;
  help: string;
  /** How many words it takes. */
  words: { min: number; max: number };
  flags: Record<string, { type: 'string' | 'boolean'; multiple?: true; help: string }>;
  run: (input: CommandInput) => Promise<CommandOutput | undefined>;
};

export class CommandError extends OperatorError {
  override name = 'CommandError';
}
