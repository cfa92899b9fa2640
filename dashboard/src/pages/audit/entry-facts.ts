import type { Format } from '#format/create-format.ts';

/** What the sentence about an entry is made of. */
export type EntryFacts = {
  /** A domain, or an email address. */
  subject: string;
  /** Whether people did it to themselves. */
  isSelf: boolean;
  detail: Readonly<Record<string, unknown>>;
  format: Pick<Format, 'number' | 'count' | 'span'>;
};

/** Completes a sentence that starts with the name of whoever did it. */
export type SpellEntry = (facts: EntryFacts) => string;

export type Change = { from: unknown; to: unknown };

/** The old and the new value of a setting, if the entry has them. */
export function changeOf(detail: unknown): Change | undefined {
  return typeof detail === 'object' && detail !== null && 'from' in detail ? (detail as Change) : undefined;
}

export const listOrigins = (origins: unknown): string => (origins as readonly string[]).join(', ');

export const listRules = (rules: unknown): string => (rules as readonly string[]).join(', ');

/** Days of an entry have no time, so they are the same in every timezone. */
export function spellDay(day: unknown, format: EntryFacts['format']): string {
  const text = String(day);
  return format.span({ from: text, to: text });
}
