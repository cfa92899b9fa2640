import type { Funnel } from '#api/shapes.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { ListFault } from '../list/list-fault.tsx';
import { spellShare } from '../list/spell-share.ts';
import { isPartOfDays, wholeDays } from '../whole-days.ts';
import { FunnelSkeleton } from './funnel-skeleton.tsx';
import { FunnelSteps } from './funnel-steps.tsx';

/** The numbers of one funnel. */
export function FunnelView({ funnel, isNear }: { funnel: Funnel; isNear: boolean }) {
  const { shown } = useAnalytics();
  const { steps, withinDays } = funnel;
  const { answer, fault, isBusy, retry } = useAnswer('funnel', ({ filters }, period) =>
    isNear
      ? {
          period: wholeDays(period),
          filters,
          steps,
          within: withinDays === null ? 'visit' : { days: withinDays },
        }
      : undefined,
  );
  if (answer === undefined)
    return fault === undefined ? (
      <FunnelSkeleton steps={steps.length} />
    ) : (
      <ListFault fault={fault} limit={8} onRetry={retry} />
    );
  const [first, last] = [answer.steps[0]?.visitors ?? 0, answer.steps.at(-1)?.visitors ?? 0];
  return (
    <>
      <p class="funnel-sum">
        {first === 0 ? 'Nobody began' : <b>{spellShare(last, first)}</b>}
        {first > 0 && ' go all the way'}, {withinDays === null ? 'in one visit' : spellDays(withinDays)}
        {isPartOfDays(shown.period) && ', whole days'}
      </p>
      <FunnelSteps steps={answer.steps} isBusy={isBusy} />
    </>
  );
}

const spellDays = (days: number) =>
  `within ${days === 1 ? 'one day' : `${days} days`}, visitors with a ClientId`;
