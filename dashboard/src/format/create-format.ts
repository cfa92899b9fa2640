import type { Counted } from '#words/counted.ts';
import { type FormatWords, formatWords } from './format-words.ts';

/** Formats numbers and dates in the language of the page, as they are written in the reader's country. */
export type Format = ReturnType<typeof createFormat>;

type Options = { locale: string; timeZone: string; words?: FormatWords };

const steps = [
  { unit: 'second', ms: 1_000, upTo: 60 },
  { unit: 'minute', ms: 60_000, upTo: 60 },
  { unit: 'hour', ms: 3_600_000, upTo: 24 },
  { unit: 'day', ms: 86_400_000, upTo: 30 },
] as const;

export function createFormat({ locale, timeZone, words = formatWords }: Options) {
  const numbers = new Intl.NumberFormat(locale);
  const decimals = [0, 1, 2].map((digits) => fractions(locale, digits));
  const percents = [0, 1, 2].map((digits) => fractions(locale, digits, { style: 'percent' }));
  // Grouped as everywhere else: in German, 5.000 would be 5000 beside 10.000.
  const compact = new Intl.NumberFormat(locale, {
    notation: 'compact',
    maximumSignificantDigits: 3,
    useGrouping: 'always',
  });
  const plurals = new Intl.PluralRules(locale);
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const countries = new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' });
  const dates = (options: Intl.DateTimeFormatOptions, zone = timeZone) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
    return (time: string) => format.format(new Date(time));
  };
  const day = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const ranges = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', ...options });

  return {
    /** The words of formatted values, for functions that write longer ones. */
    words,
    number: (value: number) => numbers.format(value),
    /** 2.90: always with this many fraction digits, so that the numbers of a column are alike. */
    decimal: (value: number, digits: 0 | 1 | 2) => decimals[digits]!.format(value),
    /** 38%, of a share from 0 to 1 */
    percent: (share: number, digits: 0 | 1 | 2 = 0) => percents[digits]!.format(share),
    /** 12.3M */
    compact: (value: number) => compact.format(value),
    /** 2m; 2 Min. where a letter would be unclear */
    unit: (value: number, unit: 'hour' | 'minute' | 'second') =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: words.unitDisplay }).format(value),
    /** 1 record, 2,048 records */
    count: (value: number, forms: Counted) =>
      (plurals.select(value) === 'one' ? forms.one : forms.other).replace('#', numbers.format(value)),
    /** 14:02:11 */
    clock: dates({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
    /** 14:02 */
    hour: dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    /** 14 Nov 2026 */
    day,
    /** Saturday, 14 November 2026 */
    longDay: dates({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    /** 14 Nov 2026, 14:02 */
    dayAndHour: dates({
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
    /** 1 December, in UTC like the months of the contingent. */
    utcDay: dates({ day: 'numeric', month: 'long' }, 'UTC'),
    utcLongDay: dates({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, 'UTC'),
    utcWeekday: dates({ weekday: 'short' }, 'UTC'),
    utcShortDay: dates({ day: 'numeric', month: 'short' }, 'UTC'),
    utcMonth: dates({ month: 'long' }, 'UTC'),
    utcShortMonth: dates({ month: 'short' }, 'UTC'),
    /** 14:02, in another timezone */
    hourIn: (time: string, zone: string) =>
      dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, zone)(time),
    /** 16 Oct – 14 Nov 2026; 3 Nov 2026, 14:00–18:59. In the website's timezone, wherever the reader is. */
    span({ from, to }: { from: string; to: string }, hasYear = true): string {
      const format = ranges({
        ...(hasYear && { year: 'numeric' }),
        ...(from.includes('T') && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
      });
      const at = (local: string) => new Date(local.includes('T') ? `${local}Z` : local);
      return format.formatRange(at(from), at(to));
    },
    /** 3 seconds ago, yesterday; a date for anything long ago. */
    ago(time: string, nowMs: number): string {
      const ageMs = Math.max(0, nowMs - Date.parse(time));
      const step = steps.find(({ ms, upTo }) => ageMs < ms * upTo);
      if (step === undefined) return words.onDay(day(time));
      const age = Math.floor(ageMs / step.ms);
      return age === 0 ? words.justNow : ago.format(-age, step.unit);
    },
    country: (code: string) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
  };
}

const fractions = (locale: string, digits: number, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(locale, { ...options, minimumFractionDigits: digits, maximumFractionDigits: digits });
