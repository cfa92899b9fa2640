import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export type SoakOptions = {
  minutes: number;
  /** Records a second. Undefined if it is half of what the server can take. */
  rate: number | undefined;
  dashboards: number;
  workers: string;
  seed: number;
  reportFile: string;
};

/** Thrown if the command line is wrong. The message says what was expected. */
export class OptionError extends Error {}

export const helpText = `npm run soak -- [options]

Runs a server under load with dashboards open, takes a sample every few seconds, and says what grew: memory,
open files, threads, the journal, parts of the store, waiting records, and how long answers take. Exits with 1
if anything grew that a longer run would not need.

Options:
  --minutes     how long it runs (default: 30)
  --rate        how many records a second (default: half of what the server takes at most)
  --dashboards  how many people look at their dashboards all the time (default: 4)
  --workers     how many processes take records (default: 1)
  --seed        a number that decides what people look at and when (default: a new one)
  --report      the file for all samples and trends, as JSON (default: in the folder for temporary files)
`;

/** Reads the command line. Returns 'help' if that is what it asks for. */
export function readSoakOptions(words: readonly string[], newSeed: number): SoakOptions | 'help' {
  const values = parse(words);
  if (values.help) return 'help';
  const number = (name: 'minutes' | 'rate' | 'dashboards' | 'workers' | 'seed', isWhole: boolean): number => {
    const value = Number(values[name]);
    if (
      values[name] !== '' &&
      value >= 0 &&
      (Number.isInteger(value) || (!isWhole && Number.isFinite(value)))
    )
      return value;
    const expected = isWhole ? 'a whole number' : 'a number';
    throw new OptionError(`--${name}: expected ${expected}, got "${values[name]}".`);
  };
  const positive = (name: 'minutes' | 'rate' | 'workers', isWhole: boolean): number => {
    if (number(name, isWhole) > 0) return number(name, isWhole);
    throw new OptionError(`--${name}: expected more than 0, got "${values[name]}".`);
  };
  const seed = values.seed === undefined ? newSeed : number('seed', true);
  return {
    minutes: positive('minutes', false),
    rate: values.rate === undefined ? undefined : positive('rate', true),
    dashboards: number('dashboards', true),
    workers: String(positive('workers', true)),
    seed,
    reportFile: values.report ?? join(tmpdir(), `trackside-soak-${seed}.json`),
  };
}

function parse(words: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...words],
      options: {
        minutes: { ...text, default: '30' },
        rate: text,
        dashboards: { ...text, default: '4' },
        workers: { ...text, default: '1' },
        seed: text,
        report: text,
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new OptionError(`${(error as Error).message}.`);
  }
}
