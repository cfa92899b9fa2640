import type { Format } from '#format/create-format.ts';
import type { ReportsWords } from '../reports-words.ts';

type Presence = { days: number; lastAt: string };

/**
 * Describes on how many days a bot came, and when it came last: a time for today, otherwise a day. A phone
 * has room for the latter.
 */
export function spellPresence(
  { days, lastAt }: Presence,
  today: string,
  format: Format,
  words: ReportsWords['bots'],
): { note: string; shortNote: string } {
  const day = lastAt.slice(0, 10);
  const last = day === today ? lastAt.slice(11, 16) : format.utcShortDay(`${day}T00:00:00Z`);
  const shortNote = words.lastSeen(last);
  return { note: `${format.count(days, words.days)} · ${shortNote}`, shortNote };
}
