import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { Goal } from '@trackside/contract/stats/questions.ts';
import { Sparkline } from '#design/display/sparkline.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useOverviewWords } from '../../overview/overview-words.ts';
import { spellChange } from '../../overview/spell-change.ts';
import { BarList } from '../bar-list.tsx';
import { isSameGoal, nameOfGoal } from './goal-names.ts';
import { useGoalsWords } from './goals-words.ts';

type Reached = Answers['goals']['goals'][number];

type Props = {
  /** Undefined while they are loading. */
  goals: readonly Reached[] | undefined;
  /** The number of rows to reserve space for. */
  fewest: number;
  isBusy: boolean;
  chosen: Goal | undefined;
  /** The first day with data to compare with, if the comparison begins before it. */
  dataFrom: string | undefined;
  onChoose: (goal: Goal, isChosen: boolean) => void;
};

/** The goals, each with its trend, its rate and its conversions. */
export function GoalList({ goals, fewest, isBusy, chosen, dataFrom, onChoose }: Props) {
  const format = useFormat();
  const words = useGoalsWords();
  const isChosen = (one: Reached) => isSameGoal(one.goal, chosen);
  return (
    <BarList
      heading={words.goal}
      unit={words.conversions}
      limit={Math.max(fewest, goals?.length ?? 0)}
      isBusy={isBusy}
      rows={goals?.map((one) => ({
        key: String(one.id),
        label: nameOfGoal(one),
        value: one.conversions,
        note: one.conversionRate === null ? '' : format.percent(one.conversionRate, 1),
        beside: (
          <>
            <Trend goal={one} />
            {dataFrom === undefined && <Change goal={one} />}
          </>
        ),
      }))}
      selectedKeys={goals?.filter(isChosen).map(({ id }) => String(id))}
      onSelect={(key) => {
        const one = goals?.find(({ id }) => String(id) === key);
        if (one !== undefined) onChoose(one.goal, isChosen(one));
      }}
    />
  );
}

function Trend({ goal }: { goal: Reached }) {
  const words = useGoalsWords();
  const values = goal.trend?.map(({ conversions }) => conversions) ?? [];
  if (values.length < 2) return null;
  return (
    <span class="goal-trend">
      <Sparkline values={values} height={18} label={words.trend(nameOfGoal(goal))} />
    </span>
  );
}

function Change({ goal: { conversions, comparison } }: { goal: Reached }) {
  const format = useFormat();
  const words = useGoalsWords();
  const changeWords = useOverviewWords().change;
  if (comparison === undefined) return null;
  const before = comparison.conversions;
  const asked = { metric: 'visitors', now: conversions, before, format, words: changeWords } as const;
  const change = spellChange(asked);
  return (
    <span class="goal-change" data-tone={change?.tone} title={words.change(format.number(before))}>
      {change?.text}
    </span>
  );
}
