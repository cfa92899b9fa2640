import { useEffect, useState } from 'preact/hooks';
import type { Website } from '#api/shapes.ts';
import type { PageProps } from '#app/routing/page.ts';
import { usePlace, useRouter } from '#app/routing/router.ts';
import { useIsSeen } from '#browser/use-is-seen.ts';
import { EmptyState } from '#design/display/empty-state.tsx';
import { Button } from '#design/forms/button.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useLocale } from '#words/words-context.ts';
import { arrangeWebsites, isSorting, type Sorting } from './arrange-websites.ts';
import { WebsiteCard } from './website-card.tsx';
import { WebsiteRow } from './website-row.tsx';
import { WebsiteTools } from './website-tools.tsx';
import { useWebsitesWords } from './websites-words.ts';

/** With more websites than this, they can be searched and sorted; with more than that, each has one line. */
const manyWebsites = 6;
const maxCards = 12;
/** How many are added to the page at a time, as somebody scrolls. */
const step = 50;

type Props = Pick<PageProps, 'path'> & { websites: readonly Website[]; isAdmin: boolean };

export function WebsiteList({ path, websites, isAdmin }: Props) {
  const { tools: words, columns } = useWebsitesWords();
  const format = useFormat();
  const locale = useLocale();
  const [view, setView] = useListView(path);
  const [count, setCount] = useState(step);
  const hasTools = websites.length > manyWebsites;
  const isCompact = websites.length > maxCards;
  const found = hasTools ? arrangeWebsites(websites, { ...view, locale }) : websites;
  const View = isCompact ? WebsiteRow : WebsiteCard;
  return (
    <>
      {hasTools && <WebsiteTools {...view} onChange={setView} />}
      {hasTools && (
        <p class="unseen" role="status">
          {format.count(found.length, words.count)}
        </p>
      )}
      {found.length === 0 ? (
        <EmptyState
          title={words.nothing}
          action={<Button onClick={() => setView({ ...view, search: '' })}>{words.clear}</Button>}
        >
          {words.nothingHint}
        </EmptyState>
      ) : (
        <div class={isCompact ? 'card website-rows' : undefined}>
          {isCompact && (
            <p class="website-row website-rows-head" aria-hidden="true">
              <span />
              <span>{columns.website}</span>
              <span>{columns.visitors}</span>
              <span class="website-row-usage">{columns.usage}</span>
            </p>
          )}
          <ul class={isCompact ? undefined : 'websites'}>
            {found.slice(0, count).map((website) => (
              <li key={website.id}>
                <View website={website} isAdmin={isAdmin} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {found.length > count && <More onMore={() => setCount(count + step)} />}
    </>
  );
}

type ListView = { search: string; sorting: Sorting };

/** The search and the order are in the address, so that Back and a reload keep them. */
function useListView(path: string): [ListView, (view: ListView) => void] {
  const router = useRouter();
  const parameters = new URLSearchParams(usePlace(path).search);
  const sorting = parameters.get('sort');
  const view: ListView = {
    search: parameters.get('search') ?? '',
    sorting: isSorting(sorting) ? sorting : 'traffic',
  };
  const change = ({ search, sorting }: ListView) => {
    const next = new URLSearchParams();
    if (search !== '') next.set('search', search);
    if (sorting !== 'traffic') next.set('sort', sorting);
    router.go(next.size === 0 ? path : `${path}?${next}`, { replace: true });
  };
  return [view, change];
}

/** Adds more websites when somebody gets to the end of the list. */
function More({ onMore }: { onMore: () => void }) {
  const { tools: words } = useWebsitesWords();
  const [ref, isSeen] = useIsSeen<HTMLDivElement>();
  useEffect(() => {
    if (isSeen) onMore();
  }, [isSeen, onMore]);
  return (
    <div class="website-more" ref={ref}>
      <Button onClick={onMore}>{words.more}</Button>
    </div>
  );
}
