import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { useStatsApi } from '#api/api-context.ts';
import type { StatsAccess } from '#api/stats-access.ts';
import { usePlace, useRouter } from '#app/routing/router.ts';
import { AnalyticsBody } from './analytics-body.tsx';
import type { AnalysedWebsite, Analytics as AnalyticsState } from './analytics-context.ts';
import { AnalyticsContext } from './analytics-context.ts';
import { createAsker } from './ask/create-asker.ts';
import { type Subject, useAskingState } from './ask/use-asking-state.ts';
import { useHasRecords } from './ask/use-has-records.ts';
import { NoNumbers } from './no-numbers.tsx';
import { useToday } from './view/use-today.ts';
import { changeSearch, effectiveView, readView, writeView } from './view/view-address.ts';

type Props = {
  website: AnalysedWebsite;
  access: StatsAccess;
  path: string;
  isShared?: boolean;
  canEdit: boolean;
  /** There are records for sure, so the server needn't be asked. */
  hasRecords?: boolean;
  /** Rendered until it is known whether there are records, if most likely there are none yet. */
  unknown?: ComponentChildren;
  /**
   * Rendered instead of the statistics until the first record arrives. `open` continues to the statistics.
   */
  empty?: (state: { hasFirst: boolean; open: () => void }) => ComponentChildren;
  /** What people should know about the numbers, shown above them. */
  notices?: ComponentChildren;
};

/** The statistics of a website for the view in the address. */
export function Analytics(props: Props) {
  const {
    website,
    access,
    path,
    isShared = false,
    canEdit,
    hasRecords = false,
    unknown,
    empty,
    notices,
  } = props;
  const router = useRouter();
  const statsApi = useStatsApi();
  const { search } = usePlace(path);
  const today = useToday(website.timezone);
  // The address has the tabs of the panels too, which change no numbers.
  const viewSearch = writeView(readView(search));
  const wanted = useMemo<Subject>(
    () => ({ view: effectiveView(readView(viewSearch)), today }),
    [viewSearch, today],
  );
  const asking = useAskingState(wanted);
  const asker = useMemo(
    () => createAsker({ access, statsApi, now: () => performance.now(), maxKept: 200 }),
    [access, statsApi],
  );
  const change = useCallback<AnalyticsState['change']>(
    (to, options) => {
      const place = router.place();
      const next = changeSearch(place.search, to, today);
      if (next !== place.search) router.go(place.path + next, options);
    },
    [router, today],
  );
  const analytics = useMemo<AnalyticsState>(
    () => ({
      website,
      access,
      asker,
      asking,
      change,
      isShared,
      canEdit,
      today: asking.shown.today,
      wanted: asking.wanted.view,
      shown: asking.shown.view,
    }),
    [website, access, asker, asking, change, isShared, canEdit],
  );

  const [isOpened, setIsOpened] = useState(false);
  const open = useCallback(() => setIsOpened(true), []);
  const records = useHasRecords(asker, hasRecords);
  const isEmpty = records === 'none' || (records === 'first' && !isOpened);
  if (isEmpty)
    return (
      <>
        {notices}
        {empty ? empty({ hasFirst: records === 'first', open }) : <NoNumbers website={website} />}
      </>
    );
  if (records === 'unknown' && unknown !== undefined)
    return (
      <>
        <h1 class="unseen">{website.name}</h1>
        {unknown}
      </>
    );
  return (
    <AnalyticsContext.Provider value={analytics}>
      <AnalyticsBody notices={notices} />
    </AnalyticsContext.Provider>
  );
}
