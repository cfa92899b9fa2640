import { ConfigError } from './config-error.ts';
import type { Setting } from './settings.ts';

export type Flags = Partial<Record<string, string | boolean | undefined>>;

/** A value with what it was set with: the flag or the variable. */
export type Given = { value: string | undefined; name: string };

const units = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Reads a setting from its flag, else from the environment, else from its default. */
export function createSettingReader(flags: Flags, environment: NodeJS.ProcessEnv) {
  const readFlag = ({ flag }: Setting): string | undefined => {
    const given = flags[flag];
    // An empty flag usually comes from a shell variable that is not set. An empty data folder would mean the
    // current one.
    if (given === '') throw new ConfigError(`--${flag}: expected a value, got ""`);
    return typeof given === 'string' ? given : undefined;
  };
  const read = (source: Setting): Given => {
    const { flag, variable, fallback } = source;
    const given = readFlag(source);
    if (given !== undefined) return { value: given, name: `--${flag}` };
    const fromEnvironment = environment[variable];
    if (fromEnvironment !== undefined && fromEnvironment !== '')
      return { value: fromEnvironment, name: variable };
    return { value: fallback, name: variable };
  };
  const whole = (source: Setting, min: number, max: number): number => {
    const { value, name } = read(source);
    const number = /^\d+$/.test(value ?? '') ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new ConfigError(`${name}: expected a whole number from ${min} to ${max}, got "${value}"`);
  };
  const bytes = (source: Setting, min: number): number => {
    const { value = '', name } = read(source);
    const found = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB|TB)?$/i.exec(value);
    if (found === null)
      throw new ConfigError(`${name}: expected a size such as 500MB or 20GB, got "${value}"`);
    const size = Math.round(Number(found[1]) * units[(found[2] ?? 'B').toUpperCase() as keyof typeof units]);
    if (size >= min) return size;
    throw new ConfigError(`${name}: expected at least ${min / 1e6}MB, got "${value}"`);
  };
  return { readFlag, read, whole, bytes };
}
