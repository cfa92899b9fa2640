export type RewriteLimits = {
  /** How many groups of records are read at once. */
  groupsAtOnce: number;
  /** How long the changes of one mutation may be, because it has them in its text. */
  maxChangesChars: number;
};

/** Splits changes into parts that one mutation can have. A change that is longer is a part of its own. */
export function splitChanges<T>(
  changes: readonly T[],
  { maxChangesChars }: RewriteLimits,
  lengthOf: (change: T) => number,
): T[][] {
  const parts: T[][] = [];
  let chars = 0;
  for (const change of changes) {
    const own = lengthOf(change);
    if (parts.length === 0 || chars + own > maxChangesChars) {
      parts.push([]);
      chars = 0;
    }
    parts.at(-1)!.push(change);
    chars += own;
  }
  return parts;
}
