import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Segment } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import type { MenuItem } from '#design/overlays/menu-item.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { hasSameFilters } from './has-same-filters.ts';
import { ManageSegmentsDialog } from './manage-segments-dialog.tsx';
import { SaveSegmentDialog } from './save-segment-dialog.tsx';
import { useSegmentsWords } from './segments-words.ts';
import { useSegmentInAddress } from './use-segment-in-address.ts';
import './segments.css';

/**
 * Switches between saved sets of filters. A link contains the filters themselves, so it shows the same to
 * everybody, even on a public page, which has no segments to choose from.
 */
export function SegmentMenu() {
  return useAnalytics().isShared ? <NoSegments /> : <OwnSegments />;
}

/** A public page knows no segments, and says so to anybody who arrives with the id of one. */
function NoSegments() {
  useSegmentInAddress(none);
  return null;
}

function OwnSegments() {
  const api = useApi();
  const words = useSegmentsWords();
  const { website, wanted, change } = useAnalytics();
  const saved = useResource(`segments ${website.id}`, (signal) => api.segments(website.id, signal));
  const [open, setOpen] = useState<'save' | 'manage'>();
  const close = () => setOpen(undefined);
  const segments = saved.value?.segments ?? [];
  const set = (next: readonly Segment[]) => saved.set({ segments: next.toSorted(byName) });
  const hasFilters = wanted.filters.length > 0;
  useSegmentInAddress(saved.value?.segments);
  const current = segments.find(({ filters }) => hasSameFilters(filters, wanted.filters));
  const isNeeded = segments.length > 0 || hasFilters;

  const choices: MenuItem[] = segments.map((segment) => ({
    kind: 'choice',
    label: segment.name,
    ...(segment.isPersonal && { hint: words.onlyYou }),
    isChosen: segment === current,
    onSelect: () => change({ filters: segment.filters }),
  }));
  const all: MenuItem = {
    kind: 'choice',
    label: words.all,
    isChosen: !hasFilters,
    onSelect: () => change({ filters: [] }),
  };
  const items: MenuItem[] = [
    ...(segments.length > 0 ? [all, ...choices, { kind: 'line' as const }] : []),
    ...(hasFilters && current === undefined
      ? [{ kind: 'action' as const, label: words.save, onSelect: () => setOpen('save') }]
      : []),
    { kind: 'action', label: words.manage, onSelect: () => setOpen('manage') },
  ];
  return (
    <>
      {isNeeded && (
        <Menu
          label={words.menu}
          buttonClass="button button-quiet button-small segment-button"
          button={
            <>
              <span class="unseen">{words.switch}: </span>
              <span class="cut">{current?.name ?? words.menu}</span>
              <Icon name="chevron" />
            </>
          }
          items={items}
        />
      )}
      {open === 'save' && (
        <SaveSegmentDialog
          onSaved={(segment) => {
            set([...segments, segment]);
            close();
          }}
          onClose={close}
        />
      )}
      {open === 'manage' && (
        <ManageSegmentsDialog
          segments={segments}
          onChanged={(changed) => set(segments.map((one) => (one.id === changed.id ? changed : one)))}
          onRemoved={(removed) => set(segments.filter(({ id }) => id !== removed.id))}
          onClose={close}
        />
      )}
    </>
  );
}

const none: readonly Segment[] = [];
const byName = (one: Segment, other: Segment) => one.name.localeCompare(other.name);
