import { useCallback } from 'preact/hooks';
import { usePath, usePlace, useRouter } from '#app/routing/router.ts';

/**
 * The chosen tab of a panel. It is in the address, so that a link shows the same, but not in the history:
 * Back leads to the numbers before, not through tabs. The first tab is the default, and is left out.
 */
export function usePanelTab<Id extends string>(
  panel: string,
  ids: readonly Id[],
): readonly [Id, (id: Id) => void] {
  const router = useRouter();
  const { search } = usePlace(usePath());
  const wanted = new URLSearchParams(search).get(panel);
  const usual = ids[0]!;
  const selected = ids.find((id) => id === wanted) ?? usual;
  const select = useCallback(
    (id: Id) => {
      const place = router.place();
      const next = withTab(place.search, panel, id === usual ? undefined : id);
      if (next !== place.search) router.go(place.path + next, { replace: true });
    },
    [router, panel, usual],
  );
  return [selected, select];
}

/** Returns the search part of an address with another tab of a panel. The other parts stay as they are. */
export function withTab(search: string, panel: string, tab: string | undefined): string {
  const others = search
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '' && part.split('=', 1)[0] !== panel);
  const parts = tab === undefined ? others : [...others, `${panel}=${encodeURIComponent(tab)}`];
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
