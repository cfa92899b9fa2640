import type { LedgerRefusal, LedgerRelease } from '#api/shapes.ts';

/** What a release sent, and how many of these records were refused for one reason. */
type Origin = { release: string; records: number; sent: number };

/**
 * Returns the release that a reason came with: the first one that has it, if an earlier release doesn't. The
 * counts are of that release and those after it. `releases` has the newest first.
 */
export function findOrigin(
  refusal: Pick<LedgerRefusal, 'releases'>,
  releases: readonly Pick<LedgerRelease, 'release' | 'firstAt' | 'sent'>[],
): Origin | undefined {
  const refused = new Map(refusal.releases.map(({ release, records }) => [release, records]));
  const first = releases.findLastIndex(({ release }) => (refused.get(release) ?? 0) > 0);
  const release = releases[first]?.release ?? null;
  // Without a release before it, the reason may be older.
  if (release === null || first === releases.length - 1) return undefined;
  const since = releases.slice(0, first + 1);
  const sum = (count: (one: (typeof since)[number]) => number) =>
    since.reduce((total, one) => total + count(one), 0);
  return { release, records: sum((one) => refused.get(one.release) ?? 0), sent: sum(({ sent }) => sent) };
}
