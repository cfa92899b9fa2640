import type { Answers } from '@trackside/contract/stats/answers.ts';
import { useMemo } from 'preact/hooks';
import { Button } from '#design/forms/button.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useAnalytics } from '../analytics-context.ts';
import { useAnswer } from '../ask/use-answer.ts';
import { intervalOf } from '../view/intervals.ts';
import { metricsOf } from '../view/view.ts';
import { addConversionRate } from './add-conversion-rate.ts';
import { StatCards } from './cards/stat-cards.tsx';
import { OverviewChart } from './overview-chart.tsx';
import { isOfShare, seriesQuestion, totalsQuestion, visitorsQuestion } from './overview-questions.ts';
import { useOverviewWords } from './overview-words.ts';
import './overview.css';

/** The key numbers of the period, and a chart of one of them. */
export function Overview() {
  const { shown, change, asking } = useAnalytics();
  const words = useOverviewWords();
  const spellFault = useSpellFault({ hasRetry: true });
  const totals = useAnswer('query', totalsQuestion);
  const series = useAnswer('query', (view, period, day) =>
    seriesQuestion(view, period, day, intervalOf(view, day)),
  );
  const allTotals = useAnswer('query', visitorsQuestion);
  const allSeries = useAnswer('query', (view, period, day) =>
    visitorsQuestion(view, period, day, intervalOf(view, day)),
  );
  const isShare = isOfShare(shown);
  const totalsAnswer = useMemo(
    () => (isShare ? withRate(totals.answer, allTotals.answer) : totals.answer),
    [isShare, totals.answer, allTotals.answer],
  );
  const seriesAnswer = useMemo(
    () => (isShare ? withRate(series.answer, allSeries.answer) : series.answer),
    [isShare, series.answer, allSeries.answer],
  );
  const asked = [series, totals, allSeries, allTotals];
  const fault = asked.find((one) => one.fault !== undefined)?.fault;
  return (
    <section class="overview" aria-label={words.title} aria-busy={asked.some(({ isBusy }) => isBusy)}>
      <StatCards
        answer={totalsAnswer}
        metrics={metricsOf(shown)}
        isCompared={shown.compare !== 'none'}
        metric={shown.metric}
        onMetric={(metric) => change({ metric }, { replace: true })}
      />
      <div class="overview-chart">
        <OverviewChart answer={seriesAnswer} />
        {fault !== undefined && (
          <div class="overview-fault" role="alert">
            <p>{spellFault(fault)}</p>
            <Button isSmall onClick={asking.askAgain}>
              {words.retry}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

type Answer = Answers['query'] | undefined;

const withRate = (answer: Answer, all: Answer): Answer => answer && all && addConversionRate(answer, all);
