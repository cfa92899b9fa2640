/** Local days of a website, both ends included. */
export type Period = { from: string; to: string; days: number };

const dayMs = 24 * 60 * 60 * 1000;
const maxDays = 3650;

/** Reads `30d` as the last 30 days up to `today`, which counts as one of them; undefined when it is not of that form. */
export function parsePeriod(text: string, today: string): Period | undefined {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days === undefined || Number(days) < 1 || Number(days) > maxDays) return undefined;
  const from = new Date(Date.parse(`${today}T00:00:00Z`) - (Number(days) - 1) * dayMs)
    .toISOString()
    .slice(0, 10);
  return { from, to: today, days: Number(days) };
}
