import { useMemo } from 'preact/hooks';
import { sessionAccess } from '#api/stats-access.ts';
import { useLive } from '#api/use-live.ts';
import { useFormat } from '#format/format-context.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { useWebsites } from './websites-context.tsx';

/** How many visitors are on the website now, with a link to the live view. */
export function LiveCount({ websiteId, isCurrent }: { websiteId: number; isCurrent: boolean }) {
  const access = useMemo(() => sessionAccess(websiteId), [websiteId]);
  const websites = useWebsites().value?.websites;
  const isKnown = websites?.some(({ id }) => id === websiteId) ?? false;
  const { scene, isAway } = useLive(isKnown ? access : undefined);
  const format = useFormat();
  const { header: words } = useSharedWords();
  if (websites !== undefined && !isKnown) return null;
  const visitors = scene === undefined || isAway ? '–' : format.number(scene.visitors);
  return (
    <a
      // Hidden until the count is known, because the website's name loads first and would push it aside.
      class={scene === undefined && !isAway ? 'live-count live-count-unknown' : 'live-count'}
      href={`/websites/${websiteId}/live`}
      aria-current={isCurrent ? 'page' : undefined}
      title={words.liveTitle}
    >
      <i class={!isAway && scene?.visitors ? 'live-count-dot' : 'live-count-dot live-count-calm'} />
      <span>
        <b>{visitors}</b>
        <span class="unseen"> {format.count(scene?.visitors ?? 0, words.visitors)}</span>{' '}
        <span class="live-count-now">{words.now}</span>
      </span>
    </a>
  );
}
