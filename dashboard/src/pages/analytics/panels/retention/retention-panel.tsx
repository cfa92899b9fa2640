import { useFormat } from '#format/format-context.tsx';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useNear } from '../../ask/use-near.ts';
import type { AskedPeriod } from '../../view/periods.ts';
import { ListFault } from '../list/list-fault.tsx';
import { Panel } from '../panel.tsx';
import { RetentionSkeleton } from './retention-skeleton.tsx';
import { RetentionTable } from './retention-table.tsx';
import { isWeekOpen, weeksShown, weeksUpTo } from './retention-weeks.ts';
import './retention.css';

/** How many of the new visitors of a week came back in the following weeks. */
export function RetentionPanel() {
  const { today } = useAnalytics();
  const format = useFormat();
  const [ref, isNear] = useNear();
  const { answer, fault, isBusy, retry } = useAnswer('retention', ({ filters }, period) =>
    isNear ? { period: weeksUpTo(lastDayOf(period, today)), filters } : undefined,
  );
  const isUsed = answer?.cohorts.some(({ visitors }) => visitors > 0);
  return (
    <Panel title="Retention" isWide>
      <div ref={ref}>
        {answer === undefined &&
          (fault === undefined ? (
            <RetentionSkeleton />
          ) : (
            <ListFault fault={fault} limit={weeksShown} onRetry={retry} />
          ))}
        {isUsed === false && (
          <p class="retention-about">
            Visitors with a ClientId can be recognised on another day. As soon as there are some, this shows
            how many of them come back, week by week.
          </p>
        )}
        {answer !== undefined && isUsed && (
          <>
            <p class="retention-about">
              New visitors with a ClientId, and how many of them came again in the weeks after.{' '}
              {`${weeksShown} weeks up to ${format.utcShortDay(`${answer.period.to}T00:00:00Z`)}.`}
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
