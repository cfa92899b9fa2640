import { useState } from 'preact/hooks';
import type { Ledger } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { useFormat } from '#format/format-context.tsx';
import { DayGrid } from './day-grid.tsx';
import { HoursOfDay } from './hours-of-day.tsx';
import { lostOf } from './lost.ts';
import { useQualityWords } from './quality-words.ts';
import { useSpellCounts } from './use-spell-counts.ts';

/** Shows on which days records were lost, and in which hours of a day. */
export function DaysCard({ websiteId, ledger }: { websiteId: number; ledger: Ledger }) {
  const { calendar: words } = useQualityWords();
  const format = useFormat();
  const spellCounts = useSpellCounts();
  const [chosen, setChosen] = useState('');
  const { from, to, days, timezone } = ledger;
  const day = chosen >= from && chosen <= to ? chosen : findWorst(ledger);
  return (
    <Card title={words.title} about={words.about}>
      <div class="days">
        <div class="stack-tight">
          <DayGrid ledger={ledger} day={day} onChoose={setChosen} />
          <ul class="levels">
            <li>
              <i class="swatch" />
              {words.none}
            </li>
            {Object.entries(words.levels).map(([level, label]) => (
              <li key={level}>
                <i class="swatch" data-level={level} />
                {label}
              </li>
            ))}
          </ul>
        </div>
        <div class="day">
          <div aria-live="polite">
            <h3>{format.utcLongDay(day)}</h3>
            <p class="muted">{spellCounts(days.find((one) => one.day === day))}</p>
          </div>
          <HoursOfDay websiteId={websiteId} timezone={timezone} day={day} />
        </div>
      </div>
    </Card>
  );
}

/** Returns the day with the most lost records, or the last one. */
function findWorst({ days, to }: Ledger): string {
  const worst = days.toSorted((one, other) => lostOf(other) - lostOf(one))[0];
  return worst === undefined || lostOf(worst) === 0 ? to : worst.day;
}
