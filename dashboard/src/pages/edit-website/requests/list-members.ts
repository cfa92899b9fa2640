export type Member = { depth: number; name: string; value: string };

/** How names and values are shown; `empty` stands for an object without any fields. */
type Words = { empty: string; spell: (text: string) => string };

/** Lists the fields of a masked body line by line. Nested fields are indented. */
export function listMembers(shape: unknown, words: Words, depth = 0): Member[] {
  if (typeof shape !== 'object' || shape === null)
    return [{ depth, name: '', value: words.spell(String(shape)) }];
  return Object.entries(shape).flatMap(([key, inner]) => {
    // A name that is shown as it was sent has no space, and may be that of a type.
    const shown = key.includes(' ') ? words.spell(key) : key;
    const name = Array.isArray(shape) ? `${Number(key) + 1}.` : shown;
    if (typeof inner !== 'object' || inner === null)
      return [{ depth, name, value: words.spell(String(inner)) }];
    const members = listMembers(inner, words, depth + 1);
    return [{ depth, name, value: members.length === 0 ? words.empty : '' }, ...members];
  });
}
