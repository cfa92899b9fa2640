import { maxGoals } from '@trackside/contract/app/limits.ts';
import { useId } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Goal } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { Field } from '#design/forms/field.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { useStepSuggestions } from '../funnels/use-step-suggestions.ts';
import { checkGoal, emptyGoal, toGoal, toGoalDraft } from './goal-draft.ts';
import { nameOfGoal } from './goal-names.ts';
import { useGoalsWords } from './goals-words.ts';

type Props = {
  /** The goal to edit. Undefined for a new one. */
  goal: Goal | undefined;
  onSaved: (goal: Goal) => void;
  onClose: () => void;
};

/** Marks a page or an event as a goal, or changes one. */
export function GoalDialog({ goal, onSaved, onClose }: Props) {
  const api = useApi();
  const say = useToast();
  const words = useGoalsWords().adding;
  const { website } = useAnalytics();
  const suggestions = useStepSuggestions();
  const id = useId();
  const form = useForm({
    initial: goal === undefined ? emptyGoal : toGoalDraft(goal),
    check: (draft) => checkGoal(draft, words),
    refused: { goal: words.refused(maxGoals), name: words.nameLong(100) },
    taken: { goal: words.taken },
    send: (draft) => {
      const body = { name: draft.name, goal: toGoal(draft) };
      return goal === undefined ? api.addGoal(website.id, body) : api.changeGoal(website.id, goal.id, body);
    },
    onDone: (saved) => {
      say((goal === undefined ? words.added : words.saved)(nameOfGoal(saved)));
      onSaved(saved);
    },
  });
  const target = (member: 'page' | 'event', label: string, placeholder: string, hint?: string) => {
    const { value, error, onValue } = form.field(member);
    return (
      <Field label={label} hint={hint} error={error} isOptional={false}>
        {(control) => (
          <input
            {...control}
            type="text"
            class="input"
            list={`${id}-${member}s`}
            placeholder={placeholder}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        )}
      </Field>
    );
  };
  return (
    <Dialog title={goal === undefined ? words.title : words.editTitle} onClose={onClose}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        <FormMessage message={form.fault?.message} />
        <RadioGroup
          legend={words.about}
          {...form.field('goal')}
          choices={[
            {
              value: 'page',
              label: words.page,
              more: target('page', words.path, words.pathPlaceholder, words.pathHint),
            },
            {
              value: 'event',
              label: words.event,
              more: target('event', words.eventName, words.eventPlaceholder),
            },
          ]}
        />
        <TextField
          label={words.name}
          isOptional
          autocomplete="off"
          placeholder={words.namePlaceholder}
          {...form.field('name')}
        />
        {(['pages', 'events'] as const).map((kind) => (
          <datalist key={kind} id={`${id}-${kind}`}>
            {suggestions[kind].map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        ))}
        <DialogButtons>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={form.isBusy}>
            {goal === undefined ? words.submit : words.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
