import { useState } from 'preact/hooks';
import type { Goal } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useNear } from '../../ask/use-near.ts';
import { ListFault } from '../list/list-fault.tsx';
import { Panel } from '../panel.tsx';
import { GoalDialog } from './goal-dialog.tsx';
import { GoalList } from './goal-list.tsx';
import { noGoal } from './goal-names.ts';
import { goalsQuestion } from './goals-question.ts';
import { useGoalsWords } from './goals-words.ts';
import { ManageGoalsDialog } from './manage-goals-dialog.tsx';
import './goals.css';

const fewest = 3;

/** How many visitors reach the goals of the website. Choosing one shows its conversions in the lists. */
export function GoalsPanel() {
  const { asker, canEdit, isShared, shown, change } = useAnalytics();
  const words = useGoalsWords();
  const [ref, isNear] = useNear();
  const [open, setOpen] = useState<'add' | 'manage' | { edited: Goal }>();
  const { answer, fault, isBusy, retry } = useAnswer('goals', (view, period, today) =>
    isNear || isShared ? goalsQuestion(view, period, today) : undefined,
  );
  const close = () => setOpen(undefined);
  const askAgain = () => {
    asker.forget('goals');
    retry();
  };
  const goals = answer?.goals;
  // An empty panel is of no use to the public.
  if (isShared && (goals === undefined || goals.length === 0)) return null;
  return (
    <Panel
      title={words.title}
      isWide
      aside={
        canEdit && goals !== undefined && goals.length > 0 ? (
          <Button
            kind="quiet"
            isSmall
            isIconOnly
            icon="plus"
            title={words.add}
            onClick={() => setOpen('add')}
          >
            {words.add}
          </Button>
        ) : undefined
      }
      // Its line is there while the goals load, so that nothing moves when they do.
      foot={
        canEdit && goals?.length !== 0 ? (
          goals === undefined ? null : (
            <button type="button" class="panel-more" onClick={() => setOpen('manage')}>
              {words.manage}
            </button>
          )
        ) : undefined
      }
    >
      <div ref={ref}>
        {fault !== undefined && answer === undefined ? (
          <ListFault fault={fault} limit={fewest} onRetry={retry} />
        ) : goals?.length === 0 ? (
          <NoGoals canEdit={canEdit} onAdd={() => setOpen('add')} />
        ) : (
          <GoalList
            goals={goals}
            fewest={fewest}
            isBusy={isBusy}
            chosen={shown.goal}
            dataFrom={answer?.comparisonDataFrom}
            onChoose={(goal, isChosen) => change(isChosen ? noGoal : { goal, metric: 'conversions' })}
          />
        )}
      </div>
      {open !== undefined && open !== 'manage' && (
        <GoalDialog
          goal={open === 'add' ? undefined : open.edited}
          onSaved={() => {
            close();
            askAgain();
          }}
          onClose={close}
        />
      )}
      {open === 'manage' && (
        <ManageGoalsDialog
          goals={goals ?? []}
          onEdit={(edited) => setOpen({ edited })}
          onRemoved={askAgain}
          onClose={close}
        />
      )}
    </Panel>
  );
}

/** Explains what a goal is. */
function NoGoals({ canEdit, onAdd }: { canEdit: boolean; onAdd: () => void }) {
  const words = useGoalsWords();
  return (
    <div class="goals-none">
      <p>{words.empty}</p>
      {canEdit ? (
        <Button isSmall icon="plus" onClick={onAdd}>
          {words.add}
        </Button>
      ) : (
        <p class="faint note">{words.askAdmin}</p>
      )}
    </div>
  );
}
