import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { beginning, type DayCount, type FindPlace, nextSlice, type Place, type Slice } from './slice-days.ts';

type TestRecord = { day: string; place: Place };

const compare = (a: Place, b: Place) =>
  Number(BigInt(a.visitorId) - BigInt(b.visitorId)) || a.receivedAt.localeCompare(b.receivedAt);

async function* sliceAll(days: DayCount[], size: () => number, findPlace: FindPlace): AsyncGenerator<Slice> {
  let position = beginning;
  for (;;) {
    const next = await nextSlice({ days, position, size: size(), findPlace });
    if (next === undefined) return;
    yield next.slice;
    position = next.end;
  }
}

/** Answers like a store with these records, in slices of the given size. */
function asStore(records: readonly TestRecord[], size: () => number) {
  const sorted = records.toSorted((a, b) => a.day.localeCompare(b.day) || compare(a.place, b.place));
  const inSlice = ({ from, to, after, until }: Slice) =>
    sorted.filter(
      ({ day, place }) =>
        day >= from &&
        day <= to &&
        (after === undefined || compare(place, after) > 0) &&
        (until === undefined || compare(place, until) <= 0),
    );
  const days = Map.groupBy(sorted, ({ day }) => day);
  const slices = sliceAll(
    [...days].map(([day, ofDay]) => ({ day, records: ofDay.length })),
    size,
    async (day, after, count) => inSlice({ from: day, to: day, after })[count - 1]?.place,
  );
  return { sorted, inSlice, slices };
}

const recordsOf = (day: string, count: number): TestRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    day,
    place: { visitorId: String(index), receivedAt: '10:00' },
  }));

test('combines small days as far as they fit', async () => {
  const records = [
    ...recordsOf('01', 4),
    ...recordsOf('02', 5),
    ...recordsOf('05', 2),
    ...recordsOf('06', 9),
  ];
  const { slices } = asStore(records, () => 10);
  assert.deepEqual(await Array.fromAsync(slices), [
    { from: '01', to: '02' },
    { from: '05', to: '05' },
    { from: '06', to: '06' },
  ]);
});

test('splits a large day into even slices', async () => {
  const { slices, inSlice } = asStore(recordsOf('01', 21), () => 10);
  const sizes = (await Array.fromAsync(slices)).map((slice) => inSlice(slice).length);
  assert.deepEqual(sizes, [7, 7, 7]);
});

test('adapts to a size that changes on the way', async () => {
  const sizes = [4, 8, 100];
  const { slices, inSlice } = asStore(recordsOf('01', 30), () => sizes.shift() ?? 100);
  const counts = (await Array.fromAsync(slices)).map((slice) => inSlice(slice).length);
  assert.deepEqual(counts, [4, 7, 19]);
});

test('returns a smaller slice from the same position when asked again', async () => {
  const days = [
    { day: '01', records: 3 },
    { day: '02', records: 4 },
  ];
  const findPlace = async () => ({ visitorId: '2', receivedAt: '10:00' });
  const large = await nextSlice({ days, position: beginning, size: 10, findPlace });
  const small = await nextSlice({ days, position: beginning, size: 2, findPlace });
  assert.deepEqual(large?.slice, { from: '01', to: '02' });
  assert.deepEqual(small, {
    slice: { from: '01', to: '01', after: undefined, until: { visitorId: '2', receivedAt: '10:00' } },
    end: { index: 0, after: { visitorId: '2', receivedAt: '10:00' }, left: 1 },
  });
});

test('returns no slice without days', async () => {
  assert.deepEqual(await Array.fromAsync(asStore([], () => 10).slices), []);
});

test('finishes a day that has lost records since it was counted', async () => {
  const days = [
    { day: '01', records: 30 },
    { day: '02', records: 1 },
  ];
  const slices = sliceAll(
    days,
    () => 10,
    async () => undefined,
  );
  assert.deepEqual(await Array.fromAsync(slices), [
    { from: '01', to: '01', after: undefined },
    { from: '02', to: '02' },
  ]);
});

test('puts every record into exactly one slice, in order, even when many have the same place', async () => {
  const record = fc.record({
    day: fc.constantFrom('01', '02', '03', '07'),
    place: fc.record({
      visitorId: fc.constantFrom('1', '2', '10', '18446744073709551615'),
      receivedAt: fc.constantFrom('10:00', '10:01', '11:00'),
    }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      async (all, size) => {
        const { sorted, inSlice, slices } = asStore(all, () => size);
        const found = (await Array.fromAsync(slices)).flatMap(inSlice);
        assert.deepEqual(found, sorted);
      },
    ),
  );
});
