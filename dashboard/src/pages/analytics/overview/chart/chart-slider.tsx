import type { Series } from '../series/series.ts';
import { describePoint, describeSelection, speakPoint, type Wording } from './describe-point.ts';
import type { usePoint } from './use-point.ts';

type Props = {
  series: Series;
  wording: Wording;
  point: ReturnType<typeof usePoint>;
  inputRef: { current: HTMLInputElement | null };
};

/**
 * Makes the chart usable with a keyboard: a slider over its intervals, read out as it moves. Shift and the
 * arrow keys select a range, and Enter zooms into it.
 */
export function ChartSlider({ series, wording, point, inputRef }: Props) {
  const { at, anchor, keys, leave, isPinned } = point;
  const { words } = wording;
  const value = at ?? Math.max(0, series.begun - 1);
  const text =
    anchor === undefined
      ? speakPoint(describePoint(series, value, wording), wording)
      : words.chart.selected(describeSelection(series, anchor, value, wording));

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') keys.enter();
    else if (event.key.startsWith('Arrow')) keys.select(event.shiftKey);
  }
  return (
    <input
      ref={inputRef}
      type="range"
      class="chart-slider unseen"
      min={0}
      max={series.times.length - 1}
      step={1}
      value={value}
      aria-label={words.chart.title[series.interval](words.metrics[series.metric].label)}
      aria-valuetext={text}
      onInput={(event) => keys.moveTo(Number(event.currentTarget.value))}
      onFocus={() => keys.moveTo(value)}
      onBlur={() => !isPinned && leave()}
      onKeyDown={onKeyDown}
    />
  );
}
