import type { Person, Step } from './traffic.ts';

/** A row of a list as the page shows it: a label and a number. */
export type Row = [label: string, value: string];

export const views = ({ steps }: Person): Step[] => steps.filter(({ event }) => event === undefined);
export const events = ({ steps }: Person): Step[] => steps.filter(({ event }) => event !== undefined);
export const pagesOf = (person: Person): string[] => person.steps.map(({ page }) => page);

/** A person with a ClientId is one visitor on all days. The others are recognized on one day only. */
export const visitorsOf = (people: readonly Person[]): number =>
  new Set(people.map(({ clientId, ip, day }) => clientId ?? `${ip} ${day}`)).size;

export const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

/** Each of them makes one visit a day. */
export function totalsOf(people: readonly Person[]) {
  const visits = people.length;
  const pageViews = sum(people.map((person) => views(person).length));
  const bounces = people.filter(({ steps }) => steps.length === 1).length;
  return {
    visitors: visitorsOf(people),
    visits,
    pageViews,
    events: sum(people.map((person) => events(person).length)),
    viewsPerVisit: pageViews / visits,
    bounceRate: bounces / visits,
  };
}

/**
 * Counts visitors by what a function returns for each, highest first. People without a value are in no row.
 */
export function visitorsBy(
  people: readonly Person[],
  tell: (person: Person) => string | undefined | readonly string[],
): Row[] {
  const groups = new Map<string, Person[]>();
  for (const person of people) {
    const values = new Set([tell(person)].flat().filter((value) => value !== undefined));
    for (const value of values) groups.set(value, [...(groups.get(value) ?? []), person]);
  }
  return toRows([...groups].map(([value, of]) => [value, visitorsOf(of)]));
}

/** Counts how often each value occurs. */
export const timesOf = (values: readonly string[]): Row[] =>
  toRows([...Map.groupBy(values, (value) => value)].map(([value, of]) => [value, of.length]));

const toRows = (counts: [string, number][]): Row[] =>
  inOrder(counts.map(([value, count]) => [value, String(count)]));

/** Lists don't define which of two equal rows comes first. */
export const inOrder = (rows: readonly Row[]): Row[] =>
  [...rows].sort(([a, m], [b, n]) => Number(n) - Number(m) || (a < b ? -1 : 1));
