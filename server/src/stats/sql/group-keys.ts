import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Parameters } from '../question/dimensions.ts';
import { firstDaySql } from './ask-visits.ts';
import type { FewValues } from './read-few-values.ts';
import type { IntervalOfDays, SplitKey } from './split-of.ts';

/** What visits are counted by, and the entries of lists that a row with such a count belongs to. */
export type KeyGroup = { name: string; sql: string; entries: string };

/** A key whose values are numbered, so that it can be a digit of a number. */
type Digit = {
  key: SplitKey;
  /** The number of its value, which is below `size`. */
  sql: string;
  size: number;
  /** The entry of its list, given the number. */
  entry: (digit: string) => string;
};

/** If there are more, adding them up takes longer than counting by fewer keys saves. */
const maxCombinations = 400_000;

/** The place of a value that isn't among those that were found. */
export const unknownPlace = 255;

/** Visits are stored in this order, so those with the same values of these are next to each other. */
const inOrder: readonly string[] = [
  'whole',
  'day',
  'week',
  'month',
  'device',
  'country',
  'channel',
  'source',
];

/**
 * Puts keys with few values into groups. Visits are counted by the combinations of values in a group, which are
 * few too, and each list is added up from these. That takes one look at each visit instead of one for each
 * list.
 */
export function groupKeys(
  keys: readonly SplitKey[],
  values: FewValues,
  period: Period,
  parameters: Parameters,
): KeyGroup[] {
  const ofOrder = inOrder.flatMap((name) => keys.filter(({ of }) => of === name));
  const groups: Digit[][] = [];
  const alone: SplitKey[] = [];
  for (const key of [...ofOrder, ...keys.filter((other) => !ofOrder.includes(other))]) {
    const digit = toDigit(key, values, period, parameters);
    const group = digit && groups.find((digits) => canJoin(digits, digit));
    if (digit === undefined) alone.push(key);
    else if (group === undefined) groups.push([digit]);
    else group.push(digit);
  }
  const single = groups.filter(({ length }) => length === 1).map(([digit]) => digit!.key);
  return [
    ...groups.filter(({ length }) => length > 1).map(toGroup),
    ...[...single, ...alone].map(({ name, sql, place }) => ({
      name,
      sql,
      entries: `[${entryOf(place, name)}]`,
    })),
  ];
}

/** A key that isn't in the order of the visits would mix those that are next to each other. */
function canJoin(digits: readonly Digit[], digit: Digit): boolean {
  const isInOrder = ({ key }: Digit) => inOrder.includes(key.of);
  const areMixed = digits.every(isInOrder) && digits.length > 1 && !isInOrder(digit);
  return !areMixed && combinationsOf([...digits, digit]) <= maxCombinations;
}

const combinationsOf = (digits: readonly Digit[]) => digits.reduce((product, { size }) => product * size, 1);

const entryOf = (place: number, value: string) => `(toUInt8(${place}), toString(${value}))`;

function toDigit(
  key: SplitKey,
  values: FewValues,
  period: Period,
  parameters: Parameters,
): Digit | undefined {
  const { of, sql, place } = key;
  if (of === 'whole') return { key, sql: '0', size: 1, entry: () => entryOf(place, "''") };
  if (isInterval(of)) {
    const from = firstDaySql[of].replace(/\bday\b/, parameters.add('Date', period.from));
    return {
      key,
      sql: `toUInt64(${sql} - ${from})`,
      size: daysIn(period) + (of === 'day' ? 0 : 31),
      entry: (digit) => entryOf(place, `${from} + ${digit}`),
    };
  }
  const known = values.get(of);
  if (known === undefined) return undefined;
  const all = parameters.add('Array(String)', known);
  return {
    key,
    sql: `transform(${sql}, ${all}, arrayEnumerate(${all}), toUInt32(0))`,
    size: known.length + 1,
    entry: (digit) =>
      `(if(${digit} = 0, toUInt8(${unknownPlace}), toUInt8(${place})), arrayElement(${all}, ${digit}))`,
  };
}

const daysIn = ({ from, to }: Period) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

const isInterval = (of: SplitKey['of']): of is IntervalOfDays => of in firstDaySql;

/** Makes one number of all digits. */
function toGroup(digits: readonly Digit[], at: number): KeyGroup {
  const name = `group${at}`;
  const sql = digits.reduce(
    (number, { sql: digit, size }) => `(${number}) * ${size} + ${digit}`,
    'toUInt64(0)',
  );
  const entries = digits.map(({ size, entry }, place) => {
    const below = combinationsOf(digits.slice(place + 1));
    return entry(`intDiv(${name}, ${below}) % ${size}`);
  });
  return { name, sql, entries: `[${entries.join(', ')}]` };
}
