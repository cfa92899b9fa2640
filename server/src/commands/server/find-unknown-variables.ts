import { knownVariables } from '../../config/known-variables.ts';

const prefix = 'TRACKSIDE_';
const maxEdits = 2;

/** Finds variables that look like settings but aren't, most likely because of a typo. */
export function findUnknownVariables(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment)
    .filter((name) => name.toUpperCase().startsWith(prefix) && !knownVariables.includes(name))
    .map((name) => {
      const [nearest] = knownVariables
        .map((known) => ({ known, edits: countEdits(known, name.toUpperCase()) }))
        .toSorted((a, b) => a.edits - b.edits);
      const meant = nearest !== undefined && nearest.edits <= maxEdits ? nearest.known : undefined;
      const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return `${name} is not a setting of this version and has no effect.${question}`;
    });
}

/** Counts the letters that have to be added, removed or replaced to turn one text into the other. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, otherLetter] of [...other].entries())
      next.push(Math.min(row[at]! + (letter === otherLetter ? 0 : 1), row[at + 1]! + 1, next[at]! + 1));
    row = next;
  }
  return row.at(-1)!;
}
