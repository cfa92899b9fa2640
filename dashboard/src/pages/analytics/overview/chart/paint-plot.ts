import { type Box, type Layout, xOf, yOf } from './lay-out.ts';
import type { TimeLabel } from './pick-time-labels.ts';
import { type Colours, fade } from './read-colours.ts';
import { findLonePoints, type PlotData } from './to-plot-data.ts';
import { type Point, traceCurve } from './trace-curve.ts';

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
type Values = readonly (number | null)[];
type Pen = CanvasRenderingContext2D;
type LineLook = { stroke: string; width: number; dash?: number[]; isFilled?: true };

/** Between a label and the plot. */
const labelGap = 10;
/** Between a label and the edge of the chart, where a line shows the focus. */
const edgeGap = 4;
/** The widest bar. */
const widestBar = 56;

/**
 * Paints the lines or bars and the axes. The interactive elements lie on top and are not part of the
 * painting.
 */
export function paintPlot(host: HTMLElement, drawing: Drawing, colours: Colours): void {
  const { layout, data, valueLabels, secondLabels } = drawing;
  const { plot, width, height } = layout;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
  const pen = canvas.getContext('2d')!;
  pen.scale(devicePixelRatio, devicePixelRatio);
  pen.font = colours.font;
  pen.lineJoin = 'round';
  paintAxes(pen, drawing, colours);

  const [xs, before, complete, unfinished, second] = data;
  const highest = valueLabels.at(-1)?.value || 1;
  const placeOf = (of: number) => (value: number, index: number) => ({
    x: xOf(plot, xs.length, index),
    y: yOf(plot, of, value),
  });
  const place = placeOf(highest);
  if (plot.hasBands) {
    const own = before.some((value) => value !== null) ? 'right' : 'middle';
    paintBars(pen, plot, before, place, fade(colours.faint, 0.35), 'left');
    paintBars(pen, plot, complete, place, fade(colours.accent, 0.85), own);
    paintBars(pen, plot, unfinished, place, fade(colours.accent, 0.45), own);
  } else {
    paintLine(pen, plot, before, place, { stroke: fade(colours.faint, 0.75), width: 1.4, dash: [2, 4] });
    paintLine(pen, plot, complete, place, { stroke: colours.accent, width: 2.2, isFilled: true });
    paintLine(pen, plot, unfinished, place, { stroke: colours.accent, width: 2.2, dash: [3, 5] });
  }
  const ofSecond = placeOf(secondLabels?.at(-1)?.value || 1);
  paintLine(pen, plot, second, ofSecond, { stroke: colours.second, width: 1.8 });
  host.replaceChildren(canvas);
}

function paintAxes(pen: Pen, drawing: Drawing, colours: Colours): void {
  const { layout, data, timeLabels, valueLabels, secondLabels } = drawing;
  const { plot } = layout;
  const right = plot.left + plot.width;
  const highest = valueLabels.at(-1)?.value || 1;
  pen.textBaseline = 'middle';
  pen.textAlign = 'right';
  pen.fillStyle = colours.faint;
  pen.strokeStyle = colours.line;
  for (const { value, text } of valueLabels) {
    const y = yOf(plot, highest, value);
    // In the middle of a pixel, a thin line is sharp.
    const sharp = Math.floor(y) + 0.5;
    pen.beginPath();
    pen.moveTo(plot.left, sharp);
    pen.lineTo(right, sharp);
    pen.stroke();
    pen.fillText(text, plot.left - labelGap, y);
  }
  pen.textBaseline = 'top';
  pen.textAlign = 'center';
  for (const { index, text } of timeLabels) {
    // The last one is at the edge, where half of it may not fit.
    const most = layout.width - pen.measureText(text).width / 2 - edgeGap;
    pen.fillText(text, Math.min(most, xOf(plot, data[0].length, index)), plot.top + plot.height + labelGap);
  }
  pen.textBaseline = 'middle';
  pen.textAlign = 'left';
  pen.fillStyle = colours.second;
  for (const { value, text } of secondLabels ?? [])
    pen.fillText(text, right + labelGap, yOf(plot, secondLabels!.at(-1)!.value || 1, value));
}

type Place = (value: number, index: number) => Point;

/** Paints a curve through each run of values. A value without a neighbor is a point. */
function paintLine(pen: Pen, plot: Box, values: Values, place: Place, look: LineLook): void {
  pen.strokeStyle = look.stroke;
  pen.lineWidth = look.width;
  pen.setLineDash(look.dash ?? []);
  for (const run of runsOf(values, place)) {
    const curve = new Path2D();
    traceCurve(curve, run);
    if (look.isFilled === true && run.length > 1) {
      const area = new Path2D(curve);
      area.lineTo(run.at(-1)!.x, plot.top + plot.height);
      area.lineTo(run[0]!.x, plot.top + plot.height);
      pen.fillStyle = shade(pen, plot, look.stroke);
      pen.fill(area);
    }
    pen.stroke(curve);
  }
  pen.fillStyle = look.stroke;
  for (const index of findLonePoints(values)) {
    const { x, y } = place(values[index]!, index);
    pen.beginPath();
    pen.arc(x, y, 1.5 * look.width, 0, 2 * Math.PI);
    pen.fill();
  }
}

/** Splits values at the gaps between them. */
function runsOf(values: Values, place: Place): Point[][] {
  const runs: Point[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)!.push(place(value, index));
  }
  return runs.filter(({ length }) => length > 0);
}

/** A gradient from the color at the top to transparent at the bottom. */
function shade(pen: Pen, { top, height }: Box, colour: string): CanvasGradient {
  const gradient = pen.createLinearGradient(0, top, 0, top + height);
  gradient.addColorStop(0, fade(colour, 0.2));
  gradient.addColorStop(1, fade(colour, 0));
  return gradient;
}

/** Paints a bar in the band of each interval: alone in the middle, or on either side of it. */
function paintBars(
  pen: Pen,
  plot: Box,
  values: Values,
  place: Place,
  fill: string,
  side: 'left' | 'middle' | 'right',
): void {
  const band = plot.width / values.length;
  const width = Math.round(Math.min(band * (side === 'middle' ? 0.5 : 0.32), widestBar));
  const shift = { left: -width - 1, middle: -width / 2, right: 1 }[side];
  const bottom = plot.top + plot.height;
  pen.fillStyle = fill;
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const { x, y } = place(value, index);
    const radius = Math.min(3, bottom - y);
    pen.beginPath();
    pen.roundRect(Math.round(x + shift), y, width, bottom - y, [radius, radius, 0, 0]);
    pen.fill();
  }
}
