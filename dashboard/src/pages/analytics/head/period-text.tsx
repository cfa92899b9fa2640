import { useFormat } from '#format/format-context.ts';
import { useAnalytics } from '../analytics-context.ts';
import { useAnswerStatus } from '../ask/use-answer-status.ts';
import { comparedSpan } from '../view/compared-span.ts';
import { spanOf } from '../view/periods.ts';
import type { Span } from '../view/view.ts';
import './about.css';

/** The days of the shown numbers, their timezone, and the time up to which records are counted. */
export function PeriodText() {
  const { website, shown, today } = useAnalytics();
  const format = useFormat();
  const { asOf } = useAnswerStatus();
  const span = spanOf(shown.period, today);
  const compared = comparedSpan(shown, today);
  const isOfToday = span.from === today;
  const isAll = shown.period === 'all';
  return (
    <p class="period-text">
      <span>
        {isAll ? 'Since the first record' : format.span(span)}, {website.timezone.replaceAll('_', ' ')}
      </span>
      {compared !== undefined && (
        <span>
          <i aria-hidden="true"> · </i>
          compared with {isAll ? 'the year before' : format.span(compared, needsYear(compared, span))}
          {isOfToday && ' up to this time'}
        </span>
      )}
      {asOf !== undefined && (
        <span>
          <i aria-hidden="true"> · </i>
          as of {format.hourIn(asOf, website.timezone)}
        </span>
      )}
    </p>
  );
}

/** The year of the comparison is shown only when it differs. */
const needsYear = (compared: Span, { to }: Span) => compared.from.slice(0, 4) !== to.slice(0, 4);
