const maxDepth = 8;
const maxMembers = 40;

/**
 * A body with every value replaced by what it is: enough to see what is wrong, nothing to tell who it was
 * about.
 */
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
  if (typeof value === 'string') return `text of ${[...value].length}`;
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

/** Members are named by programmers; one that does not look like it may be somebody's data. */
function shownName(name: string): string {
  return /^[\w-]{1,40}$/.test(name) ? name : `a name of ${[...name].length}`;
}
