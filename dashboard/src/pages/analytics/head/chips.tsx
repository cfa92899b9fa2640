import type { Filter } from '@trackside/contract/stats/questions.ts';
import { Icon } from '#design/display/icon.tsx';
import { useNames } from '#format/names.ts';
import { fill } from '#words/fill.ts';
import { useAnalytics } from '../analytics-context.ts';
import { describeFilter } from '../view/describe-filter.ts';
import { removeFilter } from '../view/filters.ts';
import { useViewWords } from '../view/view-words.ts';
import { useHeadWords } from './head-words.ts';
import './chips.css';

/** The filters of the wanted view. Pressing one edits it, and its cross removes it. */
export function Chips({ onEdit }: { onEdit: (filter: Filter) => void }) {
  const { wanted, change } = useAnalytics();
  const words = useHeadWords().filter;
  if (wanted.filters.length === 0) return null;
  return (
    <div class="filters">
      <ul class="chips" aria-label={words.list}>
        {wanted.filters.map((filter) => (
          <Chip
            key={JSON.stringify(filter)}
            filter={filter}
            onEdit={() => onEdit(filter)}
            onRemove={() => change({ filters: removeFilter(wanted.filters, filter) })}
          />
        ))}
      </ul>
      {wanted.filters.length > 1 && (
        <button
          type="button"
          class="button button-quiet button-small filters-clear"
          onClick={() => change({ filters: [] })}
        >
          {words.clear}
        </button>
      )}
    </div>
  );
}

type Props = { filter: Filter; onEdit: () => void; onRemove: () => void };

function Chip({ filter, onEdit, onRemove }: Props) {
  const viewWords = useViewWords();
  const words = useHeadWords().filter;
  const { name, operator, value, text } = describeFilter(filter, useNames(), viewWords);
  return (
    <li class="chip">
      <button type="button" class="chip-text" title={words.edit(text)} onClick={onEdit}>
        {fill(viewWords.filters[operator], { name, value: <b>{value}</b> })}
      </button>
      <button type="button" class="chip-cross" onClick={onRemove}>
        <Icon name="cross" />
        <span class="unseen">{words.remove(text)}</span>
      </button>
    </li>
  );
}
