import type { AnswerRow } from '@trackside/contract/stats/answers.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import { useFormat } from '#format/format-context.tsx';
import { useOverviewWords } from '../../overview/overview-words.ts';
import { spellChange } from '../../overview/spell-change.ts';
import { spellValue } from '../../overview/spell-value.ts';

/** How a count of a row differs from the compared period. */
export function ChangeCell({ metric, row }: { metric: MetricName; row: AnswerRow }) {
  const format = useFormat();
  const words = useOverviewWords().change;
  if (row.comparison === undefined || row.comparison === null) return <td class="details-change">–</td>;
  const [now, before] = [row.metrics[metric] ?? null, row.comparison[metric] ?? null];
  // All counts change in the same way, whatever they count.
  const change = spellChange({ metric: 'visitors', now, before, format, words });
  return (
    <td
      class="details-change"
      data-tone={change?.tone}
      title={words.before(spellValue('count', before, format))}
    >
      {change?.text ?? '–'}
    </td>
  );
}
