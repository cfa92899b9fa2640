import { useFormat } from '#format/format-context.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { useAnswerStatus } from '../ask/use-answer-status.ts';
import { comparedSpan } from '../view/compared-span.ts';
import { hasTimes, spanOf } from '../view/periods.ts';
import type { Span } from '../view/view.ts';
import { useHeadWords } from './head-words.ts';
import './about.css';

/**
 * The days of the wanted numbers, their timezone, and the time up to which records are counted. The numbers
 * of another view are dimmed until then.
 */
export function PeriodText() {
  const { website, wanted, today } = useAnalytics();
  const words = useHeadWords().about;
  const format = useFormat();
  const { asOf, isSlow, delay } = useAnswerStatus();
  const span = spanOf(wanted.period, today);
  const compared = comparedSpan(wanted, today);
  const timezone = website.timezone.replaceAll('_', ' ');
  const isAll = wanted.period === 'all';
  function sayCompared(days: Span): string {
    const { period, compare } = wanted;
    // Only the server knows which hours these are.
    if (period === '24h' && typeof compare === 'string' && compare !== 'none')
      return words.comparedHours[compare];
    if (isAll && compare === 'previousYear') return words.comparedYear;
    const isCut = !hasTimes(span) && span.from <= today && span.to >= today;
    const say = isCut ? words.comparedUntilNow : words.compared;
    return say(unbroken(format.span(days, needsYear(days, span))));
  }
  return (
    <p class="period-text">
      <span>{isAll ? words.allTime(timezone) : words.period(unbroken(format.span(span)), timezone)}</span>
      {compared !== undefined && (
        <span>
          <i aria-hidden="true">·</i>
          {sayCompared(compared)}
        </span>
      )}
      {/* A delay is explained below. */}
      {isSlow && delay === undefined ? (
        <span class="period-slow">
          <i aria-hidden="true">·</i>
          {words.slow}
        </span>
      ) : (
        // Its space is reserved before the first answer, so that no line is added when it arrives.
        <span class={asOf === undefined ? 'period-room' : undefined}>
          <i aria-hidden="true">·</i>
          {words.asOf(format.hourIn(asOf ?? new Date().toISOString(), website.timezone))}
        </span>
      )}
    </p>
  );
}

/** A line breaks before or after dates, not within them. */
const unbroken = (span: string) =>
  span.replaceAll('\u2009', '\u202f').replaceAll(' ', '\u00a0').replaceAll('–', '–\u2060');

/** The year of the comparison is shown only when it differs. */
const needsYear = (compared: Span, { to }: Span) => compared.from.slice(0, 4) !== to.slice(0, 4);
