import type { Answers } from '@trackside/contract/stats/answers.ts';
import { useRef } from 'preact/hooks';
import { useMoreBeside } from '#browser/use-more-beside.ts';
import { useFormat } from '#format/format-context.tsx';
import { spellShare } from '../list/spell-share.ts';
import { useReportsWords } from '../reports-words.ts';
import { weeksShown } from './retention-weeks.ts';

type Cohort = Answers['retention']['cohorts'][number];

type Props = {
  cohorts: readonly Cohort[];
  /** Whether the last week is not over yet. */
  isOpen: boolean;
  isBusy: boolean;
};

export function RetentionTable({ cohorts, isOpen, isBusy }: Props) {
  const words = useReportsWords().retention;
  const format = useFormat();
  const room = useRef<HTMLElement>(null);
  useMoreBeside(room);
  return (
    <section
      ref={room}
      class="retention-room"
      aria-label={words.table}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways
      tabIndex={0}
      // The arrow keys scroll the table here instead of changing the period.
      onKeyDown={(event) => event.key.startsWith('Arrow') && event.stopPropagation()}
    >
      <table class="retention" data-busy={isBusy ? '' : undefined} aria-busy={isBusy}>
        <thead>
          <tr>
            <th scope="col">{words.weekOf}</th>
            <th scope="col">{words.new}</th>
            {Array.from({ length: weeksShown - 1 }, (_, index) => (
              <th key={index} scope="col">
                <span class="unseen">{words.weekAfter} </span>+{index + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map((cohort) => (
            <tr key={cohort.week}>
              <th scope="row">{format.utcShortDay(`${cohort.week}T00:00:00Z`)}</th>
              <td>{format.number(cohort.visitors)}</td>
              {cohort.weeks.slice(1).map((came, index, weeks) => (
                <Cell
                  key={index}
                  came={came}
                  of={cohort.visitors}
                  isOpen={isOpen && index === weeks.length - 1}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ came, of, isOpen }: { came: number; of: number; isOpen: boolean }) {
  const format = useFormat();
  const words = useReportsWords().retention;
  if (of === 0) return <td class="retention-share" />;
  const numbers = { came: format.number(came), all: format.number(of) };
  const title = isOpen ? words.cameSoFar(numbers) : words.came(numbers);
  return (
    <td class="retention-share" data-open={isOpen ? '' : undefined} title={title}>
      <span style={{ '--share': String(came / of) }}>{spellShare(came, of, format)}</span>
    </td>
  );
}
