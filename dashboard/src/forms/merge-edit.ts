export type Clash<Values> = { field: keyof Values & string; mine: unknown; theirs: unknown };

export type Merge<Values> = {
  /** What this person changed, and is not so already. */
  changes: Partial<Values>;
  /** What both changed, and differently. */
  clashes: Clash<Values>[];
  /** What only the other one changed. */
  theirs: (keyof Values & string)[];
};

/** Compares what was read, what was typed and what somebody else has saved meanwhile. */
export function mergeEdit<Values extends object>(base: Values, mine: Values, theirs: Values): Merge<Values> {
  const merge: Merge<Values> = { changes: {}, clashes: [], theirs: [] };
  for (const field of Object.keys(base) as (keyof Values & string)[]) {
    const isMine = !isSame(mine[field], base[field]);
    const isTheirs = !isSame(theirs[field], base[field]);
    if (!isMine && isTheirs) merge.theirs.push(field);
    if (!isMine || isSame(mine[field], theirs[field])) continue;
    merge.changes[field] = mine[field];
    if (isTheirs) merge.clashes.push({ field, mine: mine[field], theirs: theirs[field] });
  }
  return merge;
}

/** Values of forms are plain: their JSON is all there is to them. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
