import type { Note } from '#api/shapes.ts';
import { useOverviewWords } from '../overview-words.ts';
import type { PointText } from './describe-point.ts';
import type { Layout } from './lay-out.ts';

const gap = 12;
const usualWidth = 176;

type Props = {
  text: PointText;
  layout: Layout;
  x: number;
  y: number;
  notes: readonly Note[];
  /** Only a pinned point has buttons. */
  isPinned: boolean;
  onZoomIn: (() => void) | undefined;
  onAddNote: (() => void) | undefined;
};

/** The tooltip of a point, on the side that has room for it. */
export function ChartTip({ text, layout, x, y, notes, isPinned, onZoomIn, onAddNote }: Props) {
  const words = useOverviewWords().chart;
  const rooms = { left: x - gap, right: layout.width - x - gap };
  const side = rooms.right >= usualWidth || rooms.right >= rooms.left ? 'right' : 'left';
  const hasActions = isPinned && (onZoomIn ?? onAddNote) !== undefined;
  const isLow = y > layout.height / 2;
  return (
    <div
      class="chart-tip"
      data-side={side}
      aria-hidden={!hasActions}
      style={{
        left: `${x}px`,
        maxWidth: `${Math.min(320, rooms[side])}px`,
        ...(isLow
          ? { bottom: `${Math.max(4, layout.height - y - 24)}px` }
          : { top: `${Math.max(4, y - 24)}px` }),
      }}
    >
      <div class="chart-tip-faint">{text.time}</div>
      <div class="chart-tip-value">{text.value}</div>
      {text.second !== undefined && <div class="chart-tip-second">{text.second}</div>}
      {text.before !== undefined && <div class="chart-tip-faint">{text.before}</div>}
      {notes.map((note) => (
        <div key={note.id} class="chart-tip-note">
          {note.text}
        </div>
      ))}
      {hasActions && (
        <div class="chart-tip-actions">
          {onZoomIn && (
            <button type="button" onClick={onZoomIn}>
              {words.zoomIn}
            </button>
          )}
          {onAddNote && (
            <button type="button" onClick={onAddNote}>
              {words.addNote}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
