/** The positions in a chart, in pixels. */
export type Layout = {
  width: number;
  height: number;
  plot: Box;
  /** How many labels fit below the plot. */
  labels: number;
};
export type Box = { left: number; top: number; width: number; height: number };

export const axisHeight = 32;
const top = 28;

export function layOut(width: number, height: number): Layout {
  const [left, right, labelWidth] = width < 560 ? [46, 20, 62] : [52, 24, 120];
  const plot = { left, top, width: width - left - right, height: height - top - axisHeight };
  return { width, height, plot, labels: Math.floor(plot.width / labelWidth) + 1 };
}

/** The x position of an interval. A single interval is in the middle. */
export function xOf({ left, width }: Box, count: number, index: number): number {
  return left + (count === 1 ? width / 2 : (width * index) / (count - 1));
}

export function yOf({ top: from, height }: Box, highest: number, value: number): number {
  return from + height * (1 - value / highest);
}

/** The index of the interval that is nearest to an x position. */
export function indexAt({ left, width }: Box, count: number, x: number): number {
  const index = Math.round(((x - left) / width) * (count - 1));
  return Math.min(count - 1, Math.max(0, index));
}
