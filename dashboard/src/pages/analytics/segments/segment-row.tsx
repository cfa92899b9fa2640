import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Segment } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useNames } from '#format/names.ts';
import { useForm } from '#forms/use-form.ts';
import { useAnalytics } from '../analytics-context.ts';
import { describeFilter } from '../view/describe-filter.ts';
import { useViewWords } from '../view/view-words.ts';
import { RenameSegment } from './rename-segment.tsx';
import { useSegmentsWords } from './segments-words.ts';
import { UpdateSegment } from './update-segment.tsx';

type Props = {
  segment: Segment;
  onChanged: (segment: Segment) => void;
  onRemoved: (segment: Segment) => void;
};

/** A segment with its filters in words. Those who may change it can rename it, give it other filters and delete it. */
export function SegmentRow({ segment, onChanged, onRemoved }: Props) {
  const { canEdit } = useAnalytics();
  const names = useNames();
  const viewWords = useViewWords();
  const words = useSegmentsWords();
  const [isRenaming, setIsRenaming] = useState(false);
  const filters = segment.filters.map((filter) => describeFilter(filter, names, viewWords).text);
  if (isRenaming) {
    const done = (renamed: Segment) => {
      setIsRenaming(false);
      onChanged(renamed);
    };
    return (
      <li class="segment-row">
        <RenameSegment segment={segment} onRenamed={done} onCancel={() => setIsRenaming(false)} />
      </li>
    );
  }
  return (
    <li class="segment-row">
      <div class="grow">
        <p>
          <b class="segment-name">{segment.name}</b>
          <span class="faint"> · {segment.isPersonal ? words.onlyYou : words.managing.everyone}</span>
        </p>
        <p class="segment-filters">{filters.join(' · ')}</p>
      </div>
      {(segment.isPersonal || canEdit) && (
        <div class="segment-buttons">
          <Button
            isSmall
            aria-label={words.managing.renameOf(segment.name)}
            onClick={() => setIsRenaming(true)}
          >
            {words.managing.rename}
          </Button>
          <UpdateSegment segment={segment} onUpdated={onChanged} />
          <RemoveButton segment={segment} onRemoved={onRemoved} />
        </div>
      )}
    </li>
  );
}

/** Asks for confirmation in place. */
function RemoveButton({ segment, onRemoved }: Pick<Props, 'segment' | 'onRemoved'>) {
  const api = useApi();
  const say = useToast();
  const words = useSegmentsWords().managing;
  const { website } = useAnalytics();
  const [isAsked, setIsAsked] = useState(false);
  const form = useForm({
    initial: {},
    send: () => api.removeSegment(website.id, segment.id),
    onDone: () => {
      say(words.removed);
      onRemoved(segment);
    },
    // Somebody else has already removed it.
    onFault: (fault) => {
      if (fault.kind !== 'not-found') return false;
      onRemoved(segment);
      return true;
    },
  });
  return (
    <>
      <FormMessage message={form.fault?.message} />
      <Button
        kind={isAsked ? 'danger' : 'danger-ghost'}
        isSmall
        isBusy={form.isBusy}
        aria-label={isAsked ? undefined : words.removeOf(segment.name)}
        onClick={() => (isAsked ? form.submit() : setIsAsked(true))}
      >
        {isAsked ? words.reallyRemove : words.remove}
      </Button>
    </>
  );
}
