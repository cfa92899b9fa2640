import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { inParts } from './in-parts.ts';
import { cut, sizeOf } from './number-ranges.ts';
import { highestOf, isInTooManyPieces, settleLowest, uniteNumbers } from './seen-numbers.ts';
import {
  ofAllNodes,
  outcomesOfNumbers,
  type SeenNumbers,
  type TallyCount,
  type TallyNumbers,
} from './tally-rows.ts';

type Known = Pick<TallyNumbers, 'key' | 'release' | 'arrivals' | 'numbers'>;
type Stream = { websiteId: number; stream: string };

/**
 * Adds numbers to those that are known, and returns what counts without its number. There are few statements,
 * because all others who write wait meanwhile. A stream may be there once for each hour.
 */
export async function writeNumbers(
  trx: Kysely<Tables>,
  node: string,
  rows: readonly TallyNumbers[],
): Promise<TallyCount[]> {
  const plain: TallyCount[] = [];
  for (const part of inParts(rows)) {
    const ends = await readEnds(trx, part);
    const known = await readKnown(trx, node, part);
    const crowded: TallyNumbers[] = [];
    const values = part.map((row) => {
      const added = addNumbers(row, known.get(nameOf(row)), ends.get(endNameOf(row)) ?? 0);
      for (const count of added.plain) plain.push(count);
      if (isInTooManyPieces(added.row.numbers)) crowded.push(row);
      return toValues(row, node, added.row);
    });
    await putRows(trx, values);
    for (const row of crowded) for (const count of await uniteNodes(trx, row)) plain.push(count);
  }
  return plain;
}

const toValues = (
  { websiteId, stream, hour }: Stream & { hour: number },
  node: string,
  { key, release, arrivals, numbers }: Known,
): Tables['tally_streams'] => ({
  ...{ website_id: websiteId, stream, hour, node, key, release, arrivals },
  numbers: JSON.stringify(numbers),
});

async function putRows(trx: Kysely<Tables>, values: readonly Tables['tally_streams'][]): Promise<void> {
  await trx
    .insertInto('tally_streams')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['website_id', 'stream', 'hour', 'node']).doUpdateSet((eb) => ({
        key: eb.ref('excluded.key'),
        release: eb.ref('excluded.release'),
        arrivals: eb.ref('excluded.arrivals'),
        numbers: eb.ref('excluded.numbers'),
      })),
    )
    .execute();
}

/**
 * Moves the numbers of all nodes into one row, because what one of them lacks, another one may have: a record
 * goes to the one that knows its key. Only what is in too many pieces then is settled. The empty rows stay,
 * because they say which streams a node follows. Returns what counts without its number.
 */
async function uniteNodes(
  trx: Kysely<Tables>,
  { websiteId, stream, hour }: TallyNumbers,
): Promise<TallyCount[]> {
  const isOfStream = { website_id: websiteId, stream, hour };
  const found = await trx
    .selectFrom('tally_streams')
    .select(['key', 'release', 'arrivals', 'numbers'])
    .where((eb) => eb.and(isOfStream))
    .execute();
  let all: Known = { key: '', release: '', arrivals: 0, numbers: {} };
  for (const { key, release, arrivals, numbers: text } of found) {
    const numbers: SeenNumbers = JSON.parse(text);
    const stands = highestOf(numbers) > highestOf(all.numbers) ? { key, release } : all;
    all = {
      ...{ key: stands.key, release: stands.release, arrivals: all.arrivals + arrivals },
      numbers: uniteNumbers(all.numbers, numbers),
    };
  }
  const { left, settled } = settleLowest(all.numbers);
  const { key, release } = all;
  const plain = [...settled].map(
    ([outcome, records]): TallyCount => ({
      ...{ websiteId, hour, key, release, outcome, records },
      isNumbered: false,
    }),
  );
  const arrivals = plain.reduce((sum, { records }) => sum - records, all.arrivals);
  await trx
    .updateTable('tally_streams')
    .set({ arrivals: 0, numbers: '{}' })
    .where((eb) => eb.and(isOfStream))
    .execute();
  await putRows(trx, [
    toValues({ websiteId, stream, hour }, ofAllNodes, { key, release, arrivals, numbers: left }),
  ]);
  return plain;
}

/** The highest number of a stream whose hour is counted for good. */
export async function readFoldedTo(trx: Kysely<Tables>, of: Stream): Promise<number> {
  return (await readEnds(trx, [of])).get(endNameOf(of)) ?? 0;
}

async function readEnds(trx: Kysely<Tables>, streams: readonly Stream[]): Promise<Map<string, number>> {
  const found = await trx
    .selectFrom('tally_stream_ends')
    .select(['website_id as websiteId', 'stream', 'folded_to'])
    .where((eb) => eb.or(streams.map(({ websiteId, stream }) => eb.and({ website_id: websiteId, stream }))))
    .execute();
  return new Map(found.map((row) => [endNameOf(row), row.folded_to]));
}

async function readKnown(
  trx: Kysely<Tables>,
  node: string,
  rows: readonly TallyNumbers[],
): Promise<Map<string, Known>> {
  const found = await trx
    .selectFrom('tally_streams')
    .select(['website_id as websiteId', 'stream', 'hour', 'key', 'release', 'arrivals', 'numbers'])
    .where((eb) =>
      // SQLite can't look up several columns with "in".
      eb.or(rows.map(({ websiteId, stream, hour }) => eb.and({ website_id: websiteId, stream, hour, node }))),
    )
    .execute();
  return new Map(found.map((row) => [nameOf(row), { ...row, numbers: JSON.parse(row.numbers) }]));
}

/** Puts a row together with the known one. What is at most `foldedTo` counts without its number. */
function addNumbers(
  { stream, arrivals, numbers, ...place }: TallyNumbers,
  known: Known | undefined,
  foldedTo: number,
): { row: Known; plain: TallyCount[] } {
  const plain: TallyCount[] = [];
  let left = arrivals + (known?.arrivals ?? 0);
  const count = (outcome: TallyCount['outcome'], records: number) => {
    plain.push({ ...place, outcome, isNumbered: false, records });
    left -= records;
  };
  const above: SeenNumbers = {};
  for (const outcome of outcomesOfNumbers) {
    const ranges = numbers[outcome] ?? [];
    // Their hours are counted for good.
    count(outcome, sizeOf(cut(ranges, 0, foldedTo)));
    above[outcome] = cut(ranges, foldedTo + 1, Number.MAX_SAFE_INTEGER);
  }
  if (numbers.settled !== undefined) above.settled = numbers.settled;
  const isHigher = known === undefined || highestOf(above) > highestOf(known.numbers);
  const { key, release } = isHigher ? place : known;
  const united = uniteNumbers(known?.numbers ?? {}, above);
  return { row: { key, release, arrivals: left, numbers: united }, plain };
}

const endNameOf = ({ websiteId, stream }: Stream): string => `${websiteId} ${stream}`;
const nameOf = ({ hour, ...of }: Stream & { hour: number }): string => `${endNameOf(of)} ${hour}`;
