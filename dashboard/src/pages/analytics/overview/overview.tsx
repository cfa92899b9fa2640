import { Button } from '#design/forms/button.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useAnalytics } from '../analytics-context.ts';
import { useAnswer } from '../ask/use-answer.ts';
import { intervalOf } from '../view/intervals.ts';
import { StatCards } from './cards/stat-cards.tsx';
import { OverviewChart } from './overview-chart.tsx';
import { seriesQuestion, totalsQuestion } from './overview-questions.ts';
import { useOverviewWords } from './overview-words.ts';
import './overview.css';

/** The key numbers of the period, and a chart of one of them. */
export function Overview() {
  const { shown, change } = useAnalytics();
  const words = useOverviewWords();
  const spellFault = useSpellFault();
  const totals = useAnswer('query', totalsQuestion);
  const series = useAnswer('query', (view, period, day) =>
    seriesQuestion(view, period, day, intervalOf(view, day)),
  );
  const fault = series.fault ?? totals.fault;
  const retry = () => {
    totals.retry();
    series.retry();
  };
  return (
    <section class="overview" aria-label={words.title} aria-busy={totals.isBusy || series.isBusy}>
      <StatCards
        answer={totals.answer}
        isCompared={shown.compare !== 'none'}
        metric={shown.metric}
        onMetric={(metric) => change({ metric }, { replace: true })}
      />
      <div class="overview-chart">
        <OverviewChart answer={series.answer} />
        {fault !== undefined && (
          <div class="overview-fault" role="alert">
            <p>{spellFault(fault)}</p>
            <Button isSmall onClick={retry}>
              {words.retry}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}
