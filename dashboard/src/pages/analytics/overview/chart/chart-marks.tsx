import type { Note } from '#api/shapes.ts';
import type { NoteGroup } from '../notes/group-notes.ts';
import { useOverviewWords } from '../overview-words.ts';
import type { Wording } from './describe-point.ts';
import { type Layout, xOf } from './lay-out.ts';

type Props = {
  layout: Layout;
  count: number;
  at: number | undefined;
  anchor: number | undefined;
  /** The y position of the point. Undefined where there is no value. */
  y: number | undefined;
  /** That of the second metric. */
  secondY: number | undefined;
  notes: readonly NoteGroup[];
  wording: Pick<Wording, 'times' | 'today'>;
  onOpenNotes: (group: NoteGroup) => void;
  onLookAt: (index: number) => void;
  onLeave: () => void;
};

/** The elements on top of the chart: the point and its line, a selection, and the flags of notes. */
export function ChartMarks(props: Props) {
  const { layout, count, at, anchor, y, secondY, notes, wording, onOpenNotes, onLookAt, onLeave } = props;
  const noteWords = useOverviewWords().note;
  const { plot } = layout;
  // Rounds to whole pixels, because a thin line between two pixels would be blurred.
  const x = (index: number) => Math.round(xOf(plot, count, index));
  const column = { top: `${plot.top}px`, height: `${plot.height}px` };
  const nameOf = ({ day, text }: Note) => noteWords.flag(wording.times.longDay(day, wording.today), text);
  const isSelecting = at !== undefined && anchor !== undefined;
  return (
    <>
      {isSelecting && (
        <div
          class="chart-selection"
          style={{
            ...column,
            left: `${Math.min(x(at), x(anchor))}px`,
            width: `${Math.abs(x(at) - x(anchor))}px`,
          }}
        />
      )}
      {at !== undefined && <div class="chart-line" style={{ ...column, left: `${x(at)}px` }} />}
      {notes.map((group) => (
        <div key={group.index} class="chart-pole" style={{ ...column, left: `${x(group.index)}px` }} />
      ))}
      {at !== undefined && y !== undefined && (
        <div class="chart-point" style={{ left: `${x(at)}px`, top: `${y}px` }} />
      )}
      {at !== undefined && secondY !== undefined && (
        <div class="chart-point chart-point-second" style={{ left: `${x(at)}px`, top: `${secondY}px` }} />
      )}
      {notes.map((group) => (
        <button
          key={group.index}
          type="button"
          class="chart-flag"
          style={{ left: `${x(group.index)}px`, top: `${plot.top + plot.height}px` }}
          aria-label={group.notes.map(nameOf).join('; ')}
          onPointerEnter={() => onLookAt(group.index)}
          onPointerLeave={onLeave}
          onBlur={onLeave}
          onFocus={() => onLookAt(group.index)}
          onClick={() => onOpenNotes(group)}
        >
          <svg viewBox="0 0 16 16" width="10" height="10" aria-hidden="true">
            <path d="M4 15V1.8M4 2.4h8.4l-2.2 3.2 2.2 3.2H4" />
          </svg>
        </button>
      ))}
    </>
  );
}
