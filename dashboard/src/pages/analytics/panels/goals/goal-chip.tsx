import { Icon } from '#design/display/icon.tsx';
import { fill } from '#words/fill.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { isSameGoal, nameOfGoal, noGoal, targetOf } from './goal-names.ts';
import { goalsQuestion } from './goals-question.ts';
import { useGoalsWords } from './goals-words.ts';
import '../../head/chips.css';
import './goals.css';

/** The chosen goal, among the filters. */
export function GoalChip() {
  const { wanted, change } = useAnalytics();
  const words = useGoalsWords().chip;
  // The panel asks the same question, so this takes no extra request.
  const { answer } = useAnswer('goals', (view, period, today) =>
    view.goal === undefined ? undefined : goalsQuestion(view, period, today),
  );
  const { goal } = wanted;
  if (goal === undefined) return null;
  const known = answer?.goals.find((one) => isSameGoal(one.goal, goal));
  const name = known === undefined ? targetOf(goal) : nameOfGoal(known);
  return (
    <ul class="chips" aria-label={words.list}>
      <li class="chip">
        <span class="chip-text chip-value goal-chip" title={name}>
          {fill(words.text, { name: <b>{name}</b> })}
        </span>
        <button type="button" class="chip-cross" onClick={() => change(noGoal)}>
          <Icon name="cross" />
          <span class="unseen">{words.clear(name)}</span>
        </button>
      </li>
    </ul>
  );
}
