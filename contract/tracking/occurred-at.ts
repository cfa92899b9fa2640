import { expected, type RuleFault } from './field-rules.ts';

const shape =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))?$/i;
const hasOffset = /(?:Z|[+-]\d\d:\d\d)$/i;
const minuteMs = 60_000;

/**
 * Reads a time of RFC 3339, in milliseconds since 1970. Undefined for any other text: one without an offset,
 * or with a date that doesn't exist.
 */
export function readTime(text: string): number | undefined {
  const found = shape.exec(text);
  if (found === null || !hasOffset.test(text)) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as Six;
  const fractionMs = Math.floor(Number(`0.${found[7] ?? 0}`) * 1000);
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second, fractionMs);
  // A date that doesn't exist becomes another one, and Date.UTC takes the years up to 99 for others.
  if (new Date(localMs).toISOString().slice(0, 19) !== text.slice(0, 19).toUpperCase()) return undefined;
  const offsetMs = (Number(found[9] ?? 0) * 60 + Number(found[10] ?? 0)) * minuteMs;
  return found[8] === '-' ? localMs + offsetMs : localMs - offsetMs;
}

type Six = [number, number, number, number, number, number];

/** Requires a time with seconds and an offset. How long ago it may be is for the server to say. */
export function occurredAt(value: unknown): RuleFault | undefined {
  if (typeof value === 'string' && readTime(value) !== undefined) return undefined;
  const fault = expected('a time with seconds and an offset, such as 2026-11-17T09:30:00Z', value);
  const lacksOffset = typeof value === 'string' && shape.test(value) && !hasOffset.test(value);
  return lacksOffset ? { ...fault, advice: 'add Z or an offset such as +01:00' } : fault;
}
