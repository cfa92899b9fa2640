import { maxSegments } from '@trackside/contract/app/limits.ts';
import { useApi } from '#api/api-context.ts';
import type { Segment } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useAnalytics } from '../analytics-context.ts';
import { checkSegmentName } from './check-segment-name.ts';
import { useSegmentsWords } from './segments-words.ts';

type Props = { segment: Segment; onRenamed: (segment: Segment) => void; onCancel: () => void };

/** Takes the place of a segment in the list while its name is changed. */
export function RenameSegment({ segment, onRenamed, onCancel }: Props) {
  const api = useApi();
  const say = useToast();
  const words = useSegmentsWords();
  const { website } = useAnalytics();
  const form = useForm({
    initial: { name: segment.name },
    check: ({ name }) => {
      const error = checkSegmentName(name, words.saving);
      return error === undefined ? {} : { name: error };
    },
    refused: { name: words.saving.noRoom(maxSegments) },
    taken: { name: words.saving.nameTaken },
    send: ({ name }) => api.changeSegment(website.id, segment.id, { name }),
    onDone: (renamed) => {
      say(words.managing.renamed);
      onRenamed(renamed);
    },
  });
  return (
    <form class="segment-rename" ref={form.ref} onSubmit={form.submit} noValidate>
      <FormMessage message={form.fault?.message} />
      <TextField
        label={words.managing.newName(segment.name)}
        autocomplete="off"
        hasFocusFirst
        {...form.field('name')}
      />
      <div class="segment-buttons">
        <Button type="submit" kind="primary" isSmall isBusy={form.isBusy}>
          {words.managing.saveName}
        </Button>
        <Button isSmall onClick={onCancel}>
          {words.managing.cancel}
        </Button>
      </div>
    </form>
  );
}
