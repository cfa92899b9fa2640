/** A calendar month in UTC. Contingents are counted by these months. */
export type UtcMonth = { name: string; startsAt: number; endsAt: number };

export function monthOf(ms: number): UtcMonth {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return {
    name: date.toISOString().slice(0, 7),
    startsAt: Date.UTC(year, month, 1),
    endsAt: Date.UTC(year, month + 1, 1),
  };
}
