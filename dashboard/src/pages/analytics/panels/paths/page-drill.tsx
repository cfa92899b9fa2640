import { showPath } from '#format/show-value.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { addFilter, toggleFilter } from '../../view/filters.ts';
import { BarList } from '../bar-list.tsx';
import { Choice } from '../list/choice.tsx';
import { Crumbs } from '../list/crumbs.tsx';
import { ListFault } from '../list/list-fault.tsx';
import { useListRows, useTotals } from '../list/use-list-rows.ts';
import { usePanelsWords } from '../panels-words.ts';
import { useReportsWords } from '../reports-words.ts';
import { usePanelTab } from '../use-panel-tab.ts';
import { type Neighbours, toRows, usePaths } from './use-paths.ts';

const views = ['after', 'before', 'events'] as const;
const ofEvents = { dimension: 'event' } as const;

/** What the visitors of one page did: the pages before and after it, and the events on it. */
export function PageDrill({ page, limit }: { page: string; limit: number }) {
  const { wanted, change } = useAnalytics();
  const words = usePanelsWords();
  const reports = useReportsWords().paths;
  const [view, setView] = usePanelTab('page', views);
  return (
    <>
      <Crumbs
        labels={[words.list.all(words.listings.page.plural), showPath(page)]}
        hasFocus={false}
        onBack={() => change({ filters: wanted.filters.filter(({ dimension }) => dimension !== 'page') })}
      />
      <div class="sources-tags">
        <Choice
          label={reports.whatVisitorsDid}
          options={views.map((id) => ({ id, label: reports.views[id] }))}
          selected={view}
          onSelect={setView}
        />
      </div>
      {view === 'events' ? (
        <EventsOfPage limit={limit} />
      ) : (
        <PagesAround key={view} side={view} limit={limit} />
      )}
    </>
  );
}

function PagesAround({ side, limit }: { side: Neighbours; limit: number }) {
  const { wanted, change } = useAnalytics();
  const words = useReportsWords().paths;
  const { answer, fault, isBusy, retry } = usePaths(true);
  if (answer === undefined && fault !== undefined)
    return <ListFault fault={fault} limit={limit} onRetry={retry} />;
  return (
    <BarList
      heading={words[side]}
      unit={words.visits}
      {...toRows(answer, side)}
      limit={limit}
      isBusy={isBusy}
      empty={side === 'before' ? words.nobodyBefore : words.nobodyAfter}
      onSelect={(is) => change({ filters: addFilter(wanted.filters, { dimension: 'page', is }) })}
    />
  );
}

function EventsOfPage({ limit }: { limit: number }) {
  const { wanted, change } = useAnalytics();
  const words = usePanelsWords().events;
  const totals = useTotals();
  const { rows, fault, isBusy, retry } = useListRows(ofEvents, 'events', { limit });
  if (fault !== undefined) return <ListFault fault={fault} limit={limit} onRetry={retry} />;
  return (
    <BarList
      heading={words.event}
      unit={words.count}
      rows={rows}
      total={totals?.events}
      limit={limit}
      isBusy={isBusy}
      empty={words.noneOnPage}
      onSelect={(event) => change({ filters: toggleFilter(wanted.filters, ofEvents, event) })}
    />
  );
}
