import uPlot from 'uplot';
import { barPaths, type Side } from './bar-paths.ts';
import { axisHeight, type Layout } from './lay-out.ts';
import type { TimeLabel } from './pick-time-labels.ts';
import { type Colours, fade } from './read-colours.ts';
import { findLonePoints, type PlotData } from './to-plot-data.ts';

export type Drawing = {
  layout: Layout;
  data: PlotData;
  timeLabels: readonly TimeLabel[];
  /** The labels of the y axis, from 0 to the top of the chart. */
  valueLabels: readonly ValueLabel[];
  /** Those of the axis at the right, if there is a second metric. */
  secondLabels: readonly ValueLabel[] | undefined;
};

type ValueLabel = { value: number; text: string };

/** Paints the lines and the axes. The interactive elements lie on top and are not part of the plot. */
export function createPlot(host: HTMLElement, drawing: Drawing, colours: Colours): uPlot {
  const { layout, data, timeLabels, valueLabels, secondLabels } = drawing;
  const { plot, width, height } = layout;
  const count = data[0].length;
  const axis = {
    stroke: colours.faint,
    font: colours.font,
    gap: 10,
    ticks: { show: false },
    border: { show: false },
  };
  const options: uPlot.Options = {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [plot.top, secondLabels ? 0 : width - plot.left - plot.width, 0, 0],
    scales: {
      x: { time: false, range: plot.hasBands ? [-0.5, count - 0.5] : count === 1 ? [-1, 1] : [0, count - 1] },
      y: { range: [0, valueLabels.at(-1)?.value || 1] },
      second: { range: [0, secondLabels?.at(-1)?.value || 1] },
    },
    axes: [
      {
        ...axis,
        size: axisHeight,
        grid: { show: false },
        splits: () => timeLabels.map(({ index }) => index),
        values: () => timeLabels.map(({ text }) => text),
      },
      {
        ...axis,
        size: plot.left,
        grid: { stroke: colours.line, width: 1 },
        splits: () => valueLabels.map(({ value }) => value),
        values: () => valueLabels.map(({ text }) => text),
      },
      ...(secondLabels
        ? [
            {
              ...axis,
              scale: 'second',
              side: 1 as const,
              stroke: colours.second,
              size: width - plot.left - plot.width,
              grid: { show: false },
              splits: () => secondLabels.map(({ value }) => value),
              values: () => secondLabels.map(({ text }) => text),
            },
          ]
        : []),
    ],
    series: [
      {},
      ...(plot.hasBands ? barsOf(data, colours) : linesOf(data, colours)),
      { ...line(data[4], { stroke: colours.second, width: 1.8 }), scale: 'second' },
    ],
  };
  return new uPlot(options, data, host);
}

function linesOf(data: PlotData, colours: Colours): uPlot.Series[] {
  return [
    line(data[1], { stroke: fade(colours.faint, 0.75), width: 1.4, dash: [2, 4] }),
    line(data[2], { stroke: colours.accent, width: 2.2, fill: shade(colours.accent) }),
    line(data[3], { stroke: colours.accent, width: 2.2, dash: [3, 5] }),
  ];
}

/** The bars of the comparison are at the left of those that they are compared with. */
function barsOf(data: PlotData, colours: Colours): uPlot.Series[] {
  const isCompared = data[1].some((value) => value !== null);
  const look = (fill: string, side: Side): uPlot.Series => ({
    fill,
    width: 0,
    paths: barPaths(side),
    points: { show: false },
  });
  const own = isCompared ? 'right' : 'middle';
  return [
    look(fade(colours.faint, 0.35), 'left'),
    look(fade(colours.accent, 0.85), own),
    look(fade(colours.accent, 0.45), own),
  ];
}

function line(values: readonly (number | null)[], look: uPlot.Series & { width: number }): uPlot.Series {
  const { stroke } = look;
  return {
    ...look,
    paths: uPlot.paths.spline!(),
    points: {
      show: false,
      filter: () => findLonePoints(values),
      size: 3 * look.width,
      fill: stroke,
      width: 0,
    },
  } as uPlot.Series;
}

/** A gradient from the color at the top to transparent at the bottom. */
const shade =
  (colour: string): uPlot.Series.Fill =>
  ({ ctx, bbox }) => {
    const gradient = ctx.createLinearGradient(0, bbox.top, 0, bbox.top + bbox.height);
    gradient.addColorStop(0, fade(colour, 0.2));
    gradient.addColorStop(1, fade(colour, 0));
    return gradient;
  };
