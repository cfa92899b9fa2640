/** What a run has done and found. */
export type Report = {
  rounds: number;
  /** Kills, cuts and other faults. */
  kills: number;
  /** How often each fault was caused, by its name, such as `node, during start-up`. */
  faults: Record<string, number>;
  /** What the clients have counted. */
  counts: Record<string, number>;
  /** The longest that a system took to be healthy again, from the last fault of a round. */
  slowestRecoveryMs: number;
  /** What broke, with the options that plan the same round again. */
  failures: { seed: number; again: string; broken: string[] }[];
};

export function createReport(): Report {
  return { rounds: 0, kills: 0, faults: {}, counts: {}, slowestRecoveryMs: 0, failures: [] };
}

export function noteFaults(report: Report, faults: readonly string[]): void {
  report.kills += faults.length;
  for (const fault of faults) report.faults[fault] = (report.faults[fault] ?? 0) + 1;
}

export function addCounts(report: Report, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts))
    report.counts[name] = (report.counts[name] ?? 0) + count;
}

/** The end of a run in words, one line for each fact. */
export function describeReport(mode: string, report: Report): string[] {
  const { rounds, kills, faults, counts, slowestRecoveryMs, failures } = report;
  const width = Math.max(0, ...Object.values(faults).map((count) => String(count).length));
  const lines = [
    `mode ${mode}: ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${kills} kills and other faults`,
    ...Object.entries(faults)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, count]) => `  ${String(count).padStart(width)} × ${name}`),
    `  ${show(counts)}`,
    `  slowest recovery: ${(slowestRecoveryMs / 1000).toFixed(1)} s`,
  ];
  for (const { seed, again, broken } of failures)
    lines.push(
      `BROKEN in the round with seed ${seed}:`,
      ...broken.map((line) => `  ${line}`),
      `To plan the same round again: npm run torture -- ${again}`,
    );
  return lines;
}

/** Counts whose names don't say what they are. */
const words: Record<string, string> = {
  usedUp: 'refused with 429',
  later: 'told to try again with 503',
  counted: 'counted in the store',
};

export function show(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString('en-US')} ${words[name] ?? name}`)
    .join(', ');
}
