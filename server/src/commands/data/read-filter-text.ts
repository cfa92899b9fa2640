import { CommandError } from '../command.ts';

const shape = /^(\w+)(?:\[([^\]]*)\])?(!=|=|~)(.*)$/s;

/**
 * Reads `country=DE&page~/blog&parameterValue[plan]=pro|free` as filters. A literal `&`, `|` or `%` is
 * written as %26, %7C or %25.
 */
export function readFilterText(text: string): Record<string, unknown>[] {
  return text.split('&').map((part) => {
    const found = shape.exec(part);
    if (found === null) {
      throw new CommandError(
        `--filter: expected parts such as country=DE, country!=DE or page~/blog, joined by &, got "${part}"`,
      );
    }
    const [, dimension, of, operator, value = ''] = found;
    const key = { dimension, ...(of !== undefined && { of: decode(of) }) };
    if (operator === '~') return { ...key, contains: decode(value) };
    if (operator === '!=') return { ...key, isNot: decode(value) };
    const values = value.split('|').map(decode);
    return values.length === 1 ? { ...key, is: values[0] } : { ...key, anyOf: values };
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new CommandError(`--filter: expected % to be written as %25, got "${text}"`);
  }
}
