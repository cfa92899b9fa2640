import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Goal } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { nameOfGoal } from './goal-names.ts';
import { useGoalsWords } from './goals-words.ts';
import './goals.css';

type Props = {
  goals: readonly Goal[];
  onEdit: (goal: Goal) => void;
  onRemoved: (goal: Goal) => void;
  onClose: () => void;
};

export function ManageGoalsDialog({ goals, onEdit, onRemoved, onClose }: Props) {
  const words = useGoalsWords();
  // The numbers of the others are asked for again meanwhile.
  const [left, setLeft] = useState(goals);
  const onGone = (gone: Goal) => {
    setLeft((last) => last.filter(({ id }) => id !== gone.id));
    onRemoved(gone);
  };
  return (
    <Dialog title={words.managing.title} onClose={onClose}>
      <p class="muted">{left.length === 0 ? words.noGoals : words.managing.about}</p>
      <ul class="goal-rows">
        {left.map((goal) => (
          <GoalRow key={goal.id} goal={goal} onEdit={() => onEdit(goal)} onRemoved={onGone} />
        ))}
      </ul>
      <DialogButtons>
        <Button onClick={onClose}>{words.managing.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}

type RowProps = { goal: Goal; onEdit: () => void; onRemoved: Props['onRemoved'] };

/** A goal with its page or event. The button that removes it asks for confirmation in place. */
function GoalRow({ goal, onEdit, onRemoved }: RowProps) {
  const api = useApi();
  const say = useToast();
  const words = useGoalsWords().managing;
  const { website } = useAnalytics();
  const [isAsked, setIsAsked] = useState(false);
  const form = useForm({
    initial: {},
    send: () => api.removeGoal(website.id, goal.id),
    onDone: () => {
      say(words.removed);
      onRemoved(goal);
    },
    // Somebody else has already removed it.
    onFault: (fault) => {
      if (fault.kind !== 'not-found') return false;
      onRemoved(goal);
      return true;
    },
  });
  const name = nameOfGoal(goal);
  return (
    <li class="goal-row">
      <div class="grow">
        <b>{name}</b>
        <p class="faint">{'page' in goal.goal ? words.page(goal.goal.page) : words.event(goal.goal.event)}</p>
      </div>
      <FormMessage message={form.fault?.message} />
      <div class="goal-buttons">
        <Button kind="quiet" isSmall aria-label={words.editOf(name)} onClick={onEdit}>
          {words.edit}
        </Button>
        <Button
          kind={isAsked ? 'danger' : 'danger-ghost'}
          isSmall
          isBusy={form.isBusy}
          aria-label={isAsked ? undefined : words.removeOf(name)}
          onClick={() => (isAsked ? form.submit() : setIsAsked(true))}
        >
          {isAsked ? words.reallyRemove : words.remove}
        </Button>
      </div>
    </li>
  );
}
