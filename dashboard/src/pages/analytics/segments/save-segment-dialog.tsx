import { maxSegments } from '@trackside/contract/app/limits.ts';
import { useApi } from '#api/api-context.ts';
import type { Segment } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useAnalytics } from '../analytics-context.ts';
import { checkSegmentName } from './check-segment-name.ts';
import { useSegmentsWords } from './segments-words.ts';

type Props = { onSaved: (segment: Segment) => void; onClose: () => void };

const initial: { name: string; who: 'me' | 'everyone' } = { name: '', who: 'me' };

/** Saves the filters of the page under a name. */
export function SaveSegmentDialog({ onSaved, onClose }: Props) {
  const api = useApi();
  const say = useToast();
  const words = useSegmentsWords().saving;
  const { website, wanted, canEdit } = useAnalytics();
  const form = useForm({
    initial,
    check: ({ name }) => {
      const error = checkSegmentName(name, words);
      return error === undefined ? {} : { name: error };
    },
    refused: { name: words.noRoom(maxSegments) },
    taken: { name: words.nameTaken },
    send: ({ name, who }) =>
      api.addSegment(website.id, { name, isPersonal: who === 'me', filters: wanted.filters }),
    onDone: (segment) => {
      say(words.saved(segment.name));
      onSaved(segment);
    },
  });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p class="muted">{words.about}</p>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        <FormMessage message={form.fault?.message} />
        <TextField
          label={words.name}
          autocomplete="off"
          placeholder={words.placeholder}
          hasFocusFirst
          {...form.field('name')}
        />
        {canEdit && (
          <RadioGroup
            legend={words.who}
            {...form.field('who')}
            choices={[
              { value: 'me', label: words.onlyMe },
              { value: 'everyone', label: words.everyone, hint: words.everyoneHint },
            ]}
          />
        )}
        <DialogButtons>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={form.isBusy}>
            {words.submit}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
