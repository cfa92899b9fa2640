import { maskedTexts } from '@trackside/contract/app/masked-texts.ts';

const maxDepth = 8;
const maxMembers = 40;

/** Replaces every value of a body by its type and length: enough to see what is wrong, nothing personal. */
export function maskedShape(body: Buffer): unknown {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return maskedTexts.notJson(body.length);
  }
  return shapeOf(json, 0);
}

function shapeOf(value: unknown, depth: number): unknown {
  if (value === null) return 'null';
  if (typeof value === 'string') return maskedTexts.text(countCharacters(value));
  if (typeof value !== 'object') return typeof value;
  if (depth === maxDepth) return '…';
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxMembers).map((one) => shapeOf(one, depth + 1));
    return value.length > maxMembers ? [...shown, `… ${maskedTexts.more(value.length - maxMembers)}`] : shown;
  }
  const members = Object.entries(value);
  const shown = members
    .slice(0, maxMembers)
    .map(([name, one]): [string, unknown] => [shownName(name), shapeOf(one, depth + 1)]);
  if (members.length > maxMembers) shown.push(['…', maskedTexts.more(members.length - maxMembers)]);
  return Object.fromEntries(shown);
}

/** Programmers name members. A name that does not look like theirs may be someone's data. */
function shownName(name: string): string {
  return /^[\w-]{1,40}$/.test(name) ? name : maskedTexts.name(countCharacters(name));
}

const countCharacters = (text: string): number => [...text].length;
