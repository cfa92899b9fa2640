import { useEffect } from 'preact/hooks';
import type { Segment } from '#api/shapes.ts';
import { useRouter } from '#app/routing/router.ts';
import { useToast } from '#design/overlays/toasts.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { addFilter } from '../view/filters.ts';
import { useSegmentsWords } from './segments-words.ts';

/**
 * Programs link to a segment by its id: `?segment=7`. The page replaces the id with its filters once the
 * segments are known, so that a copied address shows the same to everybody.
 */
export function useSegmentInAddress(segments: readonly Segment[] | undefined): void {
  const router = useRouter();
  const say = useToast();
  const words = useSegmentsWords();
  const { wanted, change } = useAnalytics();
  const id = new URLSearchParams(router.place().search).get('segment');
  useEffect(() => {
    if (id === null || segments === undefined) return;
    const segment = segments.find((one) => String(one.id) === id);
    if (segment === undefined) say(words.notFound, { isBad: true });
    const filters = segment?.filters.reduce(addFilter, wanted.filters) ?? wanted.filters;
    // Writing the view leaves the segment out.
    change({ filters }, { replace: true });
  }, [id, segments === undefined]);
}
