import { useFormat } from '#format/format-context.tsx';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useNear } from '../../ask/use-near.ts';
import type { AskedPeriod } from '../../view/periods.ts';
import { ListFault } from '../list/list-fault.tsx';
import { useTotals } from '../list/use-list-rows.ts';
import { Panel } from '../panel.tsx';
import { usePanelsWords } from '../panels-words.ts';
import { useReportsWords } from '../reports-words.ts';
import { RetentionSkeleton } from './retention-skeleton.tsx';
import { RetentionTable } from './retention-table.tsx';
import { isWeekOpen, weeksShown, weeksUpTo } from './retention-weeks.ts';
import './retention.css';

/** How many of the new visitors of a week came back in the following weeks. */
export function RetentionPanel() {
  const { today } = useAnalytics();
  const format = useFormat();
  const words = useReportsWords().retention;
  const [ref, isNear] = useNear();
  const { answer, fault, isBusy, retry } = useAnswer('retention', ({ filters }, period) =>
    isNear ? { period: weeksUpTo(lastDayOf(period, today)), filters } : undefined,
  );
  const totals = useTotals();
  const isEmpty = totals?.visitors === 0 && totals.events === 0;
  const { empty } = usePanelsWords().list;
  const isUsed = answer?.cohorts.some(({ visitors }) => visitors > 0);
  return (
    <Panel title={words.title} isWide>
      <div ref={ref}>
        {answer === undefined &&
          (fault === undefined ? (
            <RetentionSkeleton />
          ) : (
            <ListFault fault={fault} limit={weeksShown} onRetry={retry} />
          ))}
        {isUsed === false && <p class="retention-about retention-none">{isEmpty ? empty : words.none}</p>}
        {answer !== undefined && isUsed && (
          <>
            <p class="retention-about">
              {words.about({
                weeks: weeksShown,
                day: format.utcShortDay(`${answer.period.to}T00:00:00Z`),
              })}
            </p>
            <RetentionTable
              cohorts={answer.cohorts}
              isOpen={isWeekOpen(answer.period.to) || answer.period.to === today}
              isBusy={isBusy}
            />
          </>
        )}
      </div>
    </Panel>
  );
}

const lastDayOf = (period: AskedPeriod, today: string) =>
  typeof period === 'string' ? today : period.to.slice(0, 10);
