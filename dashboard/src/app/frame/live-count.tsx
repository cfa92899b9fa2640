import { useMemo } from 'preact/hooks';
import { sessionAccess } from '#api/stats-access.ts';
import { useLive } from '#api/use-live.ts';
import { useFormat } from '#format/format-context.ts';
import { useWebsites } from './websites-context.tsx';

/** How many are on the website now, and the way to see them. */
export function LiveCount({ websiteId, isCurrent }: { websiteId: number; isCurrent: boolean }) {
  const access = useMemo(() => sessionAccess(websiteId), [websiteId]);
  const websites = useWebsites().value?.websites;
  const isKnown = websites?.some(({ id }) => id === websiteId) ?? false;
  const { scene, isAway } = useLive(isKnown ? access : undefined);
  const format = useFormat();
  if (websites !== undefined && !isKnown) return null;
  const visitors = scene === undefined || isAway ? '–' : format.number(scene.visitors);
  return (
    <a
      // Hidden until it is known: the name of the website beside it comes first, and would push it along.
      class={scene === undefined && !isAway ? 'live-count live-count-unknown' : 'live-count'}
      href={`/websites/${websiteId}/live`}
      aria-current={isCurrent ? 'page' : undefined}
      title="Visitors of the last 5 minutes"
    >
      <i
        class={
          scene !== undefined && scene.visitors > 0 ? 'live-count-dot' : 'live-count-dot live-count-calm'
        }
      />
      <span>
        <b>{visitors}</b>
        <span class="unseen"> visitors</span> <span class="live-count-now">now</span>
      </span>
    </a>
  );
}
