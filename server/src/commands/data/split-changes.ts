export type RewriteLimits = {
  /** How many groups of records are read at once. */
  groupsAtOnce: number;
  /** How long the changes of one mutation may be: they are part of the mutation's text. */
  maxChangesChars: number;
};

/** Splits changes into parts that fit into one mutation. A change that is too long gets a separate part. */
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
