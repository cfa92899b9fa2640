const maxDepth = 8;
const maxMembers = 40;

/** Replaces every value of a body by its type and length: enough to see what is wrong, nothing personal. */
export function maskedShape(body: Buffer): unknown {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return `not JSON, ${body.length} bytes`;
  }
  return shapeOf(json, 0);
}

function shapeOf(value: unknown, depth: number): unknown {
  if (value === null) return 'null';
  if (typeof value === 'string') return `text with ${count(value)}`;
  if (typeof value !== 'object') return typeof value;
  if (depth === maxDepth) return '…';
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxMembers).map((one) => shapeOf(one, depth + 1));
    return value.length > maxMembers ? [...shown, `… ${value.length - maxMembers} more`] : shown;
  }
  const members = Object.entries(value);
  const shown = members
    .slice(0, maxMembers)
    .map(([name, one]): [string, unknown] => [shownName(name), shapeOf(one, depth + 1)]);
  if (members.length > maxMembers) shown.push(['…', `${members.length - maxMembers} more`]);
  return Object.fromEntries(shown);
}

/** Programmers name members. A name that does not look like theirs may be someone's data. */
function shownName(name: string): string {
  return /^[\w-]{1,40}$/.test(name) ? name : `name with ${count(name)}`;
}

function count(text: string): string {
  const { length } = [...text];
  return length === 1 ? '1 character' : `${length} characters`;
}
