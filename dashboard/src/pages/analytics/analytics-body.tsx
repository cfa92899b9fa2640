import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { InHeader } from '#app/frame/header-tools.tsx';
import { useRouter } from '#app/routing/router.ts';
import { AnalyticsContext, useAnalytics } from './analytics-context.ts';
import { Chips } from './head/chips.tsx';
import { DelayBanner } from './head/delay-banner.tsx';
import { FilterDialog } from './head/filter-dialog.tsx';
import { useHeadWords } from './head/head-words.ts';
import { IntervalMenu } from './head/interval-menu.tsx';
import { KeysDialog } from './head/keys-dialog.tsx';
import { PeriodText } from './head/period-text.tsx';
import { ProgressLine } from './head/progress-line.tsx';
import { RangeDialog } from './head/range-dialog.tsx';
import { Tools } from './head/tools.tsx';
import { useShift } from './head/use-shift.ts';
import { useShortcuts } from './head/use-shortcuts.ts';
import { Overview } from './overview/overview.tsx';
import { BotsPanel } from './panels/bots/bots-panel.tsx';
import { DevicesPanel } from './panels/devices-panel.tsx';
import { EventsPanel } from './panels/events-panel.tsx';
import { FunnelsPanel } from './panels/funnels/funnels-panel.tsx';
import { GoalChip } from './panels/goals/goal-chip.tsx';
import { GoalsPanel } from './panels/goals/goals-panel.tsx';
import { LocationsPanel } from './panels/locations-panel.tsx';
import { Matching } from './panels/matching.tsx';
import { PagesPanel } from './panels/pages-panel.tsx';
import { PathsPanel } from './panels/paths/paths-panel.tsx';
import { RetentionPanel } from './panels/retention/retention-panel.tsx';
import { SourcesPanel } from './panels/sources-panel.tsx';
import { SegmentMenu } from './segments/segment-menu.tsx';
import { customRangeKey, namedPeriods, periodKeys } from './view/view.ts';
import './analytics.css';
import './head/pinned.css';
import './print.css';

type Open =
  | { kind: 'filter'; filter: Filter | undefined }
  | { kind: 'range'; of: 'period' | 'compare' }
  | { kind: 'keys' };

/** The body of the page: its controls and its panels. */
export function AnalyticsBody({ notices }: { notices: ComponentChildren }) {
  const analytics = useAnalytics();
  const { website, change, isShared } = analytics;
  const words = useHeadWords();
  const router = useRouter();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  useEffect(() => {
    document.title = `${website.name} · Trackside`;
  }, [website.name]);

  const shift = useShift();
  useShortcuts({
    '/': () => setOpen({ kind: 'filter', filter: undefined }),
    '?': () => setOpen({ kind: 'keys' }),
    x: () => change({ filters: [] }),
    ArrowLeft: () => shift(-1),
    ArrowRight: () => shift(1),
    [customRangeKey]: () => setOpen({ kind: 'range', of: 'period' }),
    ...Object.fromEntries(namedPeriods.map((period) => [periodKeys[period], () => change({ period })])),
    ...(!isShared && { l: () => router.go(`/websites/${website.id}/live`) }),
  });

  return (
    <div class="analytics">
      <ProgressLine />
      <h1 class="unseen" tabIndex={-1}>
        {website.name}
      </h1>
      <InHeader>
        {/* The header is outside of this page, so the controls bring their context along. */}
        <AnalyticsContext.Provider value={analytics}>
          <Tools
            onFilter={() => setOpen({ kind: 'filter', filter: undefined })}
            onCustomRange={(of) => setOpen({ kind: 'range', of })}
          />
        </AnalyticsContext.Provider>
      </InHeader>
      {notices}
      <div class="analytics-about">
        <div class="filter-bar">
          <Chips onEdit={(filter) => setOpen({ kind: 'filter', filter })} />
          <GoalChip />
        </div>
        <div class="about-rest">
          <PeriodText />
          <SegmentMenu />
          <IntervalMenu />
        </div>
      </div>
      <DelayBanner />
      <Overview />
      <Matching>
        <div class="panels">
          <SourcesPanel />
          <PagesPanel />
          <LocationsPanel />
          <DevicesPanel />
          <GoalsPanel />
          <EventsPanel />
          <BotsPanel />
          <FunnelsPanel />
          <PathsPanel />
          <RetentionPanel />
        </div>
      </Matching>
      <p class="analytics-foot">
        <button
          type="button"
          class="button button-quiet button-small"
          onClick={() => setOpen({ kind: 'keys' })}
        >
          {words.keys.button}
          <span class="tool-key" aria-hidden="true">
            ?
          </span>
        </button>
      </p>
      {open?.kind === 'filter' && <FilterDialog filter={open.filter} onClose={close} />}
      {open?.kind === 'range' && <RangeDialog of={open.of} onClose={close} />}
      {open?.kind === 'keys' && <KeysDialog onClose={close} />}
    </div>
  );
}
