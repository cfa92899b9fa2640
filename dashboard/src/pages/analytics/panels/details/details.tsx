import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon } from '#design/display/icon.tsx';
import { useNames } from '#format/names.ts';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { toggleFilter } from '../../view/filters.ts';
import { columnsFor } from '../goals/counted-for.ts';
import type { Listing } from '../list/listing.ts';
import { useTotals } from '../list/use-list-rows.ts';
import { usePanelsWords } from '../panels-words.ts';
import { CsvButton } from './csv-button.tsx';
import { DetailsPages } from './details-pages.tsx';
import { detailsQuestion, nextOrder, type Order, pageRows } from './details-question.ts';
import { DetailsTable, rowsComing } from './details-table.tsx';
import { useSettled } from './use-settled.ts';

type Props = {
  listing: Listing;
  onClose: () => void;
  /** Shown beside the search field. */
  children?: ComponentChildren;
};

const typingMs = 250;
const fewestRows = 4;

export function Details({ listing: own, onClose, children }: Props) {
  const { wanted, shown, change } = useAnalytics();
  const listing = { ...own, metrics: columnsFor(own.metrics, wanted) };
  const totals = useTotals();
  const names = useNames();
  const spellFault = useSpellFault();
  const words = usePanelsWords();
  const searchText = words.details.search(words.listings[listing.id].plural);
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<Order>({ by: listing.metrics[0], descending: true });
  const [page, setPage] = useState(0);
  const wish = { search: useSettled(search, typingMs), order, page };
  const { answer, fault, isBusy } = useAnswer('query', (view, period, today) =>
    detailsQuestion(listing, wish, view, period, names, today),
  );
  // The last page stays, dimmed, until the next one has loaded.
  const kept = useKept(answer);
  // Rows that a search leaves out keep their room.
  const most = useRef(fewestRows);
  most.current = Math.max(most.current, Math.min(kept?.totalRows ?? 0, pageRows));

  function find(text: string): void {
    setSearch(text);
    setPage(0);
  }
  return (
    <div class="details">
      <div class="details-head">
        <label class="details-search">
          <Icon name="search" />
          <span class="unseen">{searchText}</span>
          <input
            type="search"
            class="input"
            placeholder={searchText}
            value={search}
            onInput={(event) => find(event.currentTarget.value)}
            spellcheck={false}
            autocomplete="off"
          />
        </label>
        {children}
        <CsvButton listing={listing} wish={wish} period={kept?.period} />
      </div>
      <div
        class="details-body"
        style={{ '--rows': kept === undefined ? rowsComing : most.current }}
        data-busy={isBusy || answer === undefined ? '' : undefined}
      >
        {fault !== undefined && answer === undefined ? (
          <p class="details-note" role="alert">
            {spellFault(fault)}
          </p>
        ) : (
          <DetailsTable
            listing={listing}
            rows={kept?.rows}
            total={listing.metrics[0] === 'events' ? totals?.events : totals?.visitors}
            isCompared={shown.compare !== 'none'}
            names={names}
            order={order}
            onOrder={(by) => {
              setOrder(nextOrder(order, by));
              setPage(0);
            }}
            onSelect={(value) => {
              onClose();
              change({ filters: toggleFilter(wanted.filters, listing.key, value) });
            }}
          />
        )}
      </div>
      <DetailsPages page={page} total={kept?.totalRows} onPage={setPage} />
    </div>
  );
}

function useKept(answer: Answers['query'] | undefined): Answers['query'] | undefined {
  const kept = useRef(answer);
  if (answer !== undefined) kept.current = answer;
  return kept.current;
}
