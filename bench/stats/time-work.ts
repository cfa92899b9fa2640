export const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

export const quantile = (numbers: number[], q: number) =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(q * numbers.length) - 1]!;

/** How many milliseconds the work takes. */
export async function timeWork(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

export function showTimes(times: number[]): string {
  const [least, most] = [Math.min(...times), Math.max(...times)];
  return `${median(times).toFixed(0)} ms in the median (${least.toFixed(0)} to ${most.toFixed(0)})`;
}
