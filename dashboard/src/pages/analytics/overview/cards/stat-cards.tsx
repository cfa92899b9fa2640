import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { CardMetric } from '../../view/view.ts';
import { useOverviewWords } from '../overview-words.ts';
import { spellVisitors } from './spell-visitors.ts';
import { type CardValue, StatCard } from './stat-card.tsx';
import './stat-cards.css';

type Props = {
  answer: Answers['query'] | undefined;
  metrics: readonly CardMetric[];
  isCompared: boolean;
  metric: CardMetric;
  onMetric: (metric: CardMetric) => void;
};

export function StatCards({ answer, metrics, isCompared, metric, onMetric }: Props) {
  const words = useOverviewWords();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div class="stats" data-cards={metrics.length} role="group" aria-label={words.cards}>
      {metrics.map((one) => (
        <StatCard
          key={one}
          metric={one}
          value={answer && cardValue(answer, one)}
          dataFrom={answer?.comparisonDataFrom}
          note={one === 'visitors' ? spellVisitors(answer?.visitorsAre, words) : undefined}
          isCompared={isCompared}
          isPressed={one === metric}
          onPress={() => onMetric(one)}
        />
      ))}
    </div>
  );
}

function cardValue({ rows, comparison }: Answers['query'], metric: CardMetric): CardValue {
  const row = rows[0];
  return {
    now: row?.metrics[metric] ?? (row === undefined ? 0 : null),
    before: comparison === undefined ? undefined : (row?.comparison?.[metric] ?? null),
  };
}
