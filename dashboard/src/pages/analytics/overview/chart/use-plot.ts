import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Format } from '#format/create-format.ts';
import { metricTraits, type ValueKind } from '../metric-traits.ts';
import type { Series } from '../series/series.ts';
import { spellShort } from '../spell-value.ts';
import type { Wording } from './describe-point.ts';
import { areBars, type Layout, layOut } from './lay-out.ts';
import { paintPlot } from './paint-plot.ts';
import { pickTimeLabels } from './pick-time-labels.ts';
import { pickMatchingSteps, pickValueSteps } from './pick-value-steps.ts';
import { readColours } from './read-colours.ts';
import { toPlotData } from './to-plot-data.ts';
import { usePaint } from './use-paint.ts';

/** Roughly the width of a printed page, so that the text of the chart has its normal size there. */
const paperWidth = 720;

export type Plot = {
  /** The ref of the element that the chart fills. */
  ref: { current: HTMLDivElement | null };
  /** Undefined until the element is measured. */
  layout: Layout | undefined;
  /** The value at the top of the chart. */
  highest: number;
  /** The same for the second metric. */
  secondHighest: number;
};

/** Draws a series into an element, and redraws it when the series, the size or the theme changes. */
export function usePlot(series: Series, { format, times }: Wording): Plot {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<{ width: number; height: number }>();
  const { kind } = metricTraits[series.metric];
  const steps = useMemo(() => {
    const values = [...series.values, ...(series.before ?? [])].filter((value) => value !== null);
    return pickValueSteps(kind, Math.max(0, ...values));
  }, [series, kind]);
  const secondSteps = useMemo(() => {
    if (series.second === undefined) return undefined;
    const values = series.second.values.filter((value) => value !== null);
    const highest = Math.max(0, ...values);
    return pickMatchingSteps(metricTraits[series.second.metric].kind, highest, steps.length - 1);
  }, [series, steps]);
  const paint = usePaint();
  const hasBands = areBars(series.interval, series.times.length);
  const labels = useMemo(() => spellSteps(kind, steps, format), [kind, steps, format]);
  const secondLabels = useMemo(
    () =>
      series.second &&
      secondSteps &&
      spellSteps(metricTraits[series.second.metric].kind, secondSteps, format),
    [series, secondSteps, format],
  );
  const letters = longestOf(labels);
  const secondLetters = secondLabels && longestOf(secondLabels);
  const layout = useMemo(
    () =>
      size &&
      layOut(paint.isPrint ? paperWidth : size.width, size.height, { hasBands, letters, secondLetters }),
    [size, paint.isPrint, hasBands, letters, secondLetters],
  );

  useLayoutEffect(() => {
    const host = ref.current!;
    const paper = matchMedia('print');
    const measure = () => {
      // In print the element takes the size of the painted chart, so measuring it would make the chart grow.
      if (paper.matches) return;
      const { clientWidth: width, clientHeight: height } = host;
      setSize((last) => (last?.width === width && last.height === height ? last : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(host);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    // A hidden element has no size.
    if (layout === undefined || layout.plot.width < 1) return;
    const host = ref.current!;
    const drawing = {
      layout,
      data: toPlotData(series, hasBands),
      timeLabels: pickTimeLabels(series.interval, series.times, layout.labels, times),
      valueLabels: labels,
      secondLabels,
    };
    paintPlot(host, drawing, readColours(host, paint.isPrint));
  }, [layout, series, labels, secondLabels, times, paint]);

  return { ref, layout, highest: steps.at(-1) || 1, secondHighest: secondSteps?.at(-1) || 1 };
}

type Label = { value: number; text: string };

const spellSteps = (kind: ValueKind, steps: readonly number[], format: Format): Label[] =>
  steps.map((value) => ({ value, text: spellShort(kind, value, format) }));

const longestOf = (labels: readonly Label[]) => Math.max(0, ...labels.map(({ text }) => text.length));
