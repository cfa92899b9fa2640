import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Ledger } from '#api/shapes.ts';
import { useMoreBeside } from '#browser/use-more-beside.ts';
import { useFormat } from '#format/format-context.tsx';
import { layOutDays, pickMonthLabels } from './lay-out-days.ts';
import { levelOf } from './lost.ts';
import { useQualityWords } from './quality-words.ts';
import { useSpellCounts } from './use-spell-counts.ts';

type Props = { ledger: Ledger; day: string; onChoose: (day: string) => void };

/** Up to this many days, there is room for the number of the day. */
const maxLarge = 100;

/** A cell for each day, in the color of what was lost. The keyboard chooses a day with a slider. */
export function DayGrid({ ledger, day, onChoose }: Props) {
  const { calendar: words } = useQualityWords();
  const format = useFormat();
  const spellCounts = useSpellCounts();
  const room = useRef<HTMLDivElement>(null);
  useMoreBeside(room);
  const { from, to } = ledger;
  const placed = useMemo(() => layOutDays({ from, to }), [from, to]);
  const counts = new Map(ledger.days.map((one) => [one.day, one]));
  const spell = (one: string) => `${format.utcLongDay(one)}: ${spellCounts(counts.get(one))}`;
  // The latest days are on the right.
  useLayoutEffect(() => room.current?.scrollTo({ left: room.current.scrollWidth }), [from, to]);
  const isLarge = placed.length <= maxLarge;
  const at = placed.findIndex((one) => one.day === day);
  return (
    <>
      <input
        type="range"
        class="unseen day-slider"
        max={placed.length - 1}
        value={at}
        aria-label={words.choose}
        aria-valuetext={spell(day)}
        onInput={({ currentTarget: { value } }) => onChoose(placed[Number(value)]!.day)}
      />
      <div class="day-room" ref={room} tabIndex={isLarge ? undefined : 0}>
        <div
          class="day-grid"
          data-large={isLarge}
          aria-hidden="true"
          onClick={({ target }) => {
            const one = (target as HTMLElement).dataset.day;
            if (one !== undefined) onChoose(one);
          }}
        >
          {pickMonthLabels(placed).map((one) => (
            <span key={`month ${one.day}`} class="day-month" style={{ gridColumn: one.column + 2 }}>
              {format.utcShortMonth(one.day)}
            </span>
          ))}
          {placed.map((one, index) => [
            placed.length > 7 && index < 7 && one.row % 2 === 0 && (
              <span key={`weekday ${one.row}`} class="day-weekday" style={{ gridRow: one.row + 2 }}>
                {format.utcWeekday(one.day)}
              </span>
            ),
            <i
              key={one.day}
              class="day-cell"
              data-day={one.day}
              data-level={levelOf(counts.get(one.day))}
              data-chosen={one.day === day}
              title={spell(one.day)}
              style={{ gridColumn: one.column + 2, gridRow: one.row + 2 }}
            >
              {Number(one.day.slice(8))}
            </i>,
          ])}
        </div>
      </div>
    </>
  );
}
