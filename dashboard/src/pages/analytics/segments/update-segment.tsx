import { useApi } from '#api/api-context.ts';
import type { Segment } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useAnalytics } from '../analytics-context.ts';
import { hasSameFilters } from './has-same-filters.ts';
import { useSegmentsWords } from './segments-words.ts';

type Props = { segment: Segment; onUpdated: (segment: Segment) => void };

/** Gives a segment the filters of the page, if there are any and the segment has others. */
export function UpdateSegment({ segment, onUpdated }: Props) {
  const api = useApi();
  const say = useToast();
  const words = useSegmentsWords().managing;
  const { website, wanted } = useAnalytics();
  const form = useForm({
    initial: {},
    send: () => api.changeSegment(website.id, segment.id, { filters: [...wanted.filters] }),
    onDone: (updated) => {
      say(words.updated(updated.name));
      onUpdated(updated);
    },
  });
  if (wanted.filters.length === 0 || hasSameFilters(segment.filters, wanted.filters)) return null;
  return (
    <>
      <FormMessage message={form.fault?.message} />
      <Button
        isSmall
        isBusy={form.isBusy}
        aria-label={words.updateOf(segment.name)}
        onClick={() => form.submit()}
      >
        {words.update}
      </Button>
    </>
  );
}
