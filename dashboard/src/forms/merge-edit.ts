export type Clash<Values> = { field: keyof Values & string; mine: unknown; theirs: unknown };

export type Merge<Values> = {
  /** What the user changed, except what already has that value. */
  changes: Partial<Values>;
  /** What both changed to different values. */
  clashes: Clash<Values>[];
  /** What only the other user changed. */
  theirs: (keyof Values & string)[];
};

/** Compares the loaded values, the typed values, and what somebody else has saved in the meantime. */
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

/** Form values are plain data, so comparing their JSON is enough. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
