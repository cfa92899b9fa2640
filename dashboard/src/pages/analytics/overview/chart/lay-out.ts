import type { Interval } from '@trackside/contract/calendar/intervals.ts';

/** The positions in a chart, in pixels. */
export type Layout = {
  width: number;
  height: number;
  plot: Box;
  /** How many labels fit below the plot. */
  labels: number;
};
export type Box = {
  left: number;
  top: number;
  width: number;
  height: number;
  /**
   * Whether each interval has its own band, as bars need it. Otherwise the first and the last are at the
   * edges.
   */
  hasBands: boolean;
};

export const axisHeight = 32;
const top = 12;
/** Of the digits on the axes, in pixels. */
const letterWidth = 6.8;

type Contents = {
  hasBands: boolean;
  /** The longest label at the left, and at the right if a second metric has an axis there. */
  letters: number;
  secondLetters: number | undefined;
};

export function layOut(width: number, height: number, contents: Contents): Layout {
  const { hasBands, letters, secondLetters } = contents;
  const [usual, edge, labelWidth] = width < 560 ? [46, 20, 62] : [52, 24, 120];
  const roomOf = (count: number) => Math.max(usual, 16 + Math.ceil(count * letterWidth));
  const left = roomOf(letters);
  const right = secondLetters === undefined ? edge : roomOf(secondLetters);
  const plot = { left, top, width: width - left - right, height: height - top - axisHeight, hasBands };
  return { width, height, plot, labels: Math.floor(plot.width / labelWidth) + 1 };
}

/** The x position of an interval. A single interval is in the middle. */
export function xOf({ left, width, hasBands }: Box, count: number, index: number): number {
  if (hasBands) return left + (width * (index + 0.5)) / count;
  return left + (count === 1 ? width / 2 : (width * index) / (count - 1));
}

export function yOf({ top: from, height }: Box, highest: number, value: number): number {
  return from + height * (1 - value / highest);
}

/** The index of the interval that is nearest to an x position. */
export function indexAt({ left, width, hasBands }: Box, count: number, x: number): number {
  const place = (x - left) / width;
  const index = hasBands ? Math.floor(place * count) : Math.round(place * (count - 1));
  return Math.min(count - 1, Math.max(0, index));
}

/** Whether so few intervals are shown that bars are easier to read than a line. */
export const areBars = (interval: Interval, count: number): boolean =>
  count <= (interval === 'month' ? 24 : 6);
