/** Two days on which the same moment can fall, at different ends of the earth. */
export type Days = { yesterday: string; today: string; yesterdayZone: string; todayZone: string };

const hourMs = 3_600_000;

/**
 * The tracking endpoints know only the current time, but each record belongs to the website's local day. So a
 * website that moves around the earth has records of two days. Where it ends up, midnight is more than an
 * hour away.
 */
export function chooseDays(nowMs: number): Days {
  const hoursAhead = [12, 13, 14].find((hours) => {
    const hour = new Date(nowMs + hours * hourMs).getUTCHours();
    return hour >= 1 && hour <= 22;
  })!;
  const today = new Date(nowMs + hoursAhead * hourMs).toISOString().slice(0, 10);
  const yesterday = new Date(nowMs + (hoursAhead - 24) * hourMs).toISOString().slice(0, 10);
  // The signs of these names are inverted, as POSIX defines it.
  return {
    today,
    yesterday,
    todayZone: `Etc/GMT-${hoursAhead}`,
    yesterdayZone: `Etc/GMT+${24 - hoursAhead}`,
  };
}
