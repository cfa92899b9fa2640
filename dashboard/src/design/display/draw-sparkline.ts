export type Sparkline = { line: string; area: string };

/** Draws a smooth line through the values, and the area below it, as SVG paths. */
export function drawSparkline(values: readonly number[], width: number, height: number): Sparkline {
  const top = 2;
  const max = Math.max(1, ...values);
  const x = (index: number) => round((index * width) / Math.max(1, values.length - 1));
  const y = (value: number) => round(height - 1 - (value / max) * (height - 1 - top));
  const line = values.reduce((path, value, index) => {
    if (index === 0) return `M0 ${y(value)}`;
    const middle = round((x(index) + x(index - 1)) / 2);
    return `${path}C${middle} ${y(values[index - 1]!)} ${middle} ${y(value)} ${x(index)} ${y(value)}`;
  }, '');
  return { line, area: `${line}L${width} ${height}L0 ${height}Z` };
}

const round = (value: number) => Math.round(value * 10) / 10;
