import type { Funnel } from '#api/shapes.ts';
import { useFormat } from '#format/format-context.tsx';
import { fill } from '#words/fill.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { ListFault } from '../list/list-fault.tsx';
import { spellShare } from '../list/spell-share.ts';
import { isPartOfDays, wholeDays } from '../whole-days.ts';
import { FunnelSkeleton } from './funnel-skeleton.tsx';
import { FunnelSteps } from './funnel-steps.tsx';
import { useFunnelsWords } from './funnels-words.ts';

/** The numbers of one funnel. */
export function FunnelView({ funnel, isNear }: { funnel: Funnel; isNear: boolean }) {
  const { shown } = useAnalytics();
  const format = useFormat();
  const words = useFunnelsWords();
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
  const { inOneVisit, withinDays: forms } = words.completed;
  const sentence = withinDays === null ? inOneVisit : format.count(withinDays, forms);
  return (
    <>
      <p class="funnel-sum">
        {first === 0
          ? words.nobodyStarted
          : fill(sentence, { share: <b>{spellShare(last, first, format)}</b> })}
        {isPartOfDays(shown.period) && `. ${words.wholeDays}`}
      </p>
      <FunnelSteps steps={answer.steps} isBusy={isBusy} />
    </>
  );
}
