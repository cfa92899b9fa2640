export type Member = { depth: number; name: string; value: string };

/** Lists the fields of a masked body line by line. Nested fields are indented. `empty` stands for an object without any. */
export function listMembers(shape: unknown, empty: string, depth = 0): Member[] {
  if (typeof shape !== 'object' || shape === null) return [{ depth, name: '', value: String(shape) }];
  return Object.entries(shape).flatMap(([key, inner]) => {
    const name = Array.isArray(shape) ? `${Number(key) + 1}.` : key;
    if (typeof inner !== 'object' || inner === null) return [{ depth, name, value: String(inner) }];
    const members = listMembers(inner, empty, depth + 1);
    return [{ depth, name, value: members.length === 0 ? empty : '' }, ...members];
  });
}
