import { parseArgs } from 'node:util';

/** An option of a program that is run by hand: what it is for, and its value if it is left out. */
type Option = { help: string; fallback?: number | string };

type Values<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Options[Name]['fallback'] extends number
    ? number
    : Options[Name]['fallback'] extends string
      ? string
      : string | undefined;
};

type Tool<Options extends Record<string, Option>> = {
  /** How it is run. */
  command: string;
  about: string;
  options: Options;
};

type Ending = { code: number; text: string };

/**
 * Reads the command line. One whose value is a number if it is left out takes whole numbers only. If the command
 * line is wrong, or asks for help, it says so and ends the process.
 */
export function readToolOptions<const Options extends Record<string, Option>>(
  tool: Tool<Options>,
): Values<Options> {
  const read = parseToolOptions(tool, process.argv.slice(2));
  if (!('code' in read)) return read.values;
  const { code, text } = read;
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}

/** Returns the values, or what the process says before it ends. */
export function parseToolOptions<const Options extends Record<string, Option>>(
  tool: Tool<Options>,
  words: string[],
): { values: Values<Options> } | Ending {
  const names = Object.keys(tool.options);
  const refuse = (says: string): Ending => ({ code: 2, text: `${says}\n\n${helpText(tool)}` });
  let given: Record<string, string | boolean | undefined>;
  try {
    const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
    given = parseArgs({ args: words, options: { ...texts, help: { type: 'boolean' } as const } }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
  if (given.help === true) return { code: 0, text: helpText(tool) };
  const values: Record<string, unknown> = {};
  for (const [name, { fallback }] of Object.entries<Option>(tool.options)) {
    const value = given[name] ?? fallback;
    values[name] = typeof fallback === 'number' ? Number(value) : value;
    if (typeof fallback === 'number' && !isCount(String(value)))
      return refuse(`--${name}: expected a whole number, got "${value}".`);
  }
  return { values: values as Values<Options> };
}

const isCount = (text: string) => /^\d+$/.test(text) && Number.isSafeInteger(Number(text));

function helpText({ command, about, options }: Tool<Record<string, Option>>): string {
  const width = Math.max(...Object.keys(options).map((name) => name.length));
  const lines = Object.entries(options).map(([name, { help, fallback }]) => {
    const value = fallback === undefined ? '' : ` (default: ${fallback})`;
    return `  --${name.padEnd(width)}  ${help}${value}`;
  });
  return `${command} -- [options]\n\n${about}\n\nOptions:\n${lines.join('\n')}\n`;
}
