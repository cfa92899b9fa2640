import type { LedgerRefusal, LedgerRelease } from '#api/shapes.ts';

/** What was sent since a release, and how many of these records were refused for one reason. */
type Origin = { release: string; records: number; sent: number };

type Release = Pick<LedgerRelease, 'release' | 'firstAt' | 'sent'>;

/**
 * Returns the release that a reason came with: the first one that has it, if there is an earlier one without
 * it. The counts are of that release and those after it.
 */
export function findOrigin(
  refusal: Pick<LedgerRefusal, 'releases'>,
  releases: readonly Release[],
): Origin | undefined {
  const refused = new Map(refusal.releases.map(({ release, records }) => [release, records]));
  const refusedOf = ({ release }: Release) => refused.get(release) ?? 0;
  const sorted = releases.toSorted((one, other) => (one.firstAt < other.firstAt ? -1 : 1));
  const first = sorted.find((one) => refusedOf(one) > 0);
  // If they began within the same hour, nobody knows which was first.
  if (!first?.release || sorted[0]!.firstAt === first.firstAt) return undefined;
  const since = sorted.filter(({ firstAt }) => firstAt >= first.firstAt);
  return {
    release: first.release,
    records: since.reduce((sum, one) => sum + refusedOf(one), 0),
    sent: since.reduce((sum, { sent }) => sum + sent, 0),
  };
}
