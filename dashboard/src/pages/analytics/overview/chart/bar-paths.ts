import type uPlot from 'uplot';

/** Where a bar stands in the band of its interval: alone in the middle, or on either side of it. */
export type Side = 'left' | 'middle' | 'right';

/** The widest bar, in pixels of the page. */
const widest = 56;

/** Creates the path of bars, one in the band of each interval. uPlot's own does more, and comes with more. */
export function barPaths(side: Side): uPlot.Series.PathBuilder {
  return (plot, index) => {
    const ratio = devicePixelRatio;
    const values = plot.data[index]!;
    const fill = new Path2D();
    const placeOf = (value: number) => plot.valToPos(value, 'x', true);
    const band = placeOf(1) - placeOf(0);
    const width = Math.round(Math.min(band * (side === 'middle' ? 0.5 : 0.32), widest * ratio));
    const left = { left: -width - ratio, middle: -width / 2, right: ratio }[side];
    const bottom = plot.valToPos(0, 'y', true);
    values.forEach((value, at) => {
      if (value === null || value === undefined) return;
      const top = plot.valToPos(value, 'y', true);
      const radius = Math.min(3 * ratio, bottom - top);
      fill.roundRect(Math.round(placeOf(at) + left), top, width, bottom - top, [radius, radius, 0, 0]);
    });
    return { fill, stroke: null, clip: null } as unknown as uPlot.Series.Paths;
  };
}
