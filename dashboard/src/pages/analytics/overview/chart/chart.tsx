import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '#design/forms/button.tsx';
import type { CardMetric } from '../../view/view.ts';
import type { NoteGroup } from '../notes/group-notes.ts';
import { keepWithin } from '../series/keep-within.ts';
import type { Series } from '../series/series.ts';
import { canZoom } from '../series/zoom-span.ts';
import { ChartLegend } from './chart-legend.tsx';
import { ChartMarks } from './chart-marks.tsx';
import { ChartSlider } from './chart-slider.tsx';
import { ChartTip } from './chart-tip.tsx';
import { describePoint, describeSelection, type Wording } from './describe-point.ts';
import { xOf, yOf } from './lay-out.ts';
import { SeriesTable } from './series-table.tsx';
import { usePlot } from './use-plot.ts';
import { usePoint } from './use-point.ts';
import './chart.css';

type Props = {
  series: Series;
  wording: Wording;
  notes: readonly NoteGroup[];
  onOpenNotes: (group: NoteGroup) => void;
  /** Undefined for users who can't add notes. */
  onAddNote: ((day: string) => void) | undefined;
  onZoom: (first: number, last: number) => void;
  onZoomOut: (() => void) | undefined;
  /** The metrics that a second line can show. */
  metrics: readonly CardMetric[];
  onSecond: (metric: CardMetric | undefined) => void;
  /** Whether the previous chart had the focus, which this one then takes over. */
  hasFocus: { current: boolean };
};

/** One metric over time. The lines are painted on a canvas, below the elements that follow the pointer. */
export function Chart(props: Props) {
  const { series, wording, notes, onOpenNotes, onAddNote, onZoom, onZoomOut, hasFocus } = props;
  const { metrics, onSecond } = props;
  const words = wording.words.chart;
  const root = useRef<HTMLDivElement>(null);
  const { ref, layout, highest, secondHighest } = usePlot(series, wording);
  const count = series.times.length;
  const point = usePoint({
    count,
    layout,
    root,
    onZoom: (first, last) => canZoom(series, first, last) && onZoom(first, last),
  });
  const { at, anchor } = point;
  const slider = useRef<HTMLInputElement>(null);
  const isMeasured = layout !== undefined;
  useLayoutEffect(() => {
    if (hasFocus.current) slider.current?.focus();
    return () => {
      hasFocus.current = slider.current !== null && document.activeElement === slider.current;
    };
  }, [isMeasured, hasFocus]);

  const value = at === undefined ? null : (series.values[at] ?? null);
  const y = layout === undefined || value === null ? undefined : yOf(layout.plot, highest, value);
  const secondValue = at === undefined ? null : (series.second?.values[at] ?? null);
  const secondY =
    layout === undefined || secondValue === null ? undefined : yOf(layout.plot, secondHighest, secondValue);
  const isEmpty = ![...series.values, ...(series.before ?? [])].some(Boolean);

  function addNote(index: number): void {
    point.leave();
    onAddNote?.(dayOf(series, index));
  }

  function zoomOut(): void {
    point.leave();
    onZoomOut?.();
  }

  return (
    <>
      <div class="chart-head">
        <ChartLegend series={series} words={wording.words} metrics={metrics} onSecond={onSecond} />
        <div class="chart-corner">
          {onZoomOut && (
            <Button
              kind="quiet"
              isSmall
              onClick={(event) => {
                // The button disappears, so the focus of a keyboard user moves to the slider.
                if (event.detail === 0) slider.current?.focus();
                zoomOut();
              }}
            >
              {words.zoomOut}
            </Button>
          )}
          {onAddNote && (
            <Button kind="quiet" isSmall icon="plus" onClick={() => addNote(at ?? series.begun - 1)}>
              {words.addNote}
            </Button>
          )}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only for a mouse, because the button does the same */}
      <div class="chart" ref={root} onDblClick={onZoomOut && zoomOut}>
        <div class="chart-plot" ref={ref} aria-hidden="true" />
        {layout !== undefined && (
          <>
            <div class="chart-over" data-selecting={anchor !== undefined} {...point.pointer} />
            <ChartSlider series={series} wording={wording} point={point} inputRef={slider} />
            <ChartMarks
              layout={layout}
              count={count}
              at={at}
              anchor={anchor}
              // A bar is seen without a point on it.
              y={layout.plot.hasBands ? undefined : y}
              secondY={secondY}
              notes={notes}
              wording={wording}
              onOpenNotes={(group) => {
                point.leave();
                onOpenNotes(group);
              }}
              onLookAt={point.show}
              onLeave={point.leave}
            />
            {at !== undefined && (
              <ChartTip
                text={
                  anchor === undefined
                    ? describePoint(series, at, wording)
                    : {
                        time: describeSelection(series, anchor, at, wording),
                        before: undefined,
                        value: point.isPressed ? words.release : words.pressEnter,
                      }
                }
                layout={layout}
                x={xOf(layout.plot, count, at)}
                y={y ?? layout.height / 2}
                notes={notes.find(({ index }) => index === at && anchor === undefined)?.notes ?? []}
                isPinned={point.isPinned}
                onZoomIn={canZoom(series, at, at) ? () => point.zoom(at, at) : undefined}
                onAddNote={onAddNote && (() => addNote(at))}
              />
            )}
            {isEmpty && <p class="chart-empty">{words.empty}</p>}
          </>
        )}
        <SeriesTable series={series} wording={wording} />
      </div>
    </>
  );
}

/** The first day of an interval, within the period. */
function dayOf({ times, period }: Series, index: number): string {
  return keepWithin(times[Math.max(0, index)]!.slice(0, 10), period.from, period.to);
}
