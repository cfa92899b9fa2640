import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { times } from '../../test/support/long-form.ts';
import { noteOf, readAllFrames, readFrames } from './read-frames.ts';
import { frameHeaderBytes, markBytes, segmentPath, writeFrame } from './segment-file.ts';
import { payloadOf, readStretch, useFolders } from './test-journal.ts';

const makeFolder = useFolders();

/** One of these looks like the start of a payload, and one like a file that was never written. */
const marks = ['["["["["["["["["', '\0'.repeat(16), '0123456789abcd["'].map((text) => Buffer.from(text));

/**
 * A segment without its header, and the positions where its frames begin. The last position is the end. Two
 * of three frames are marked: all except the second, the fifth and so on. The fourth of five has a note.
 */
function frameAll(payloads: readonly string[]): { bytes: Buffer; starts: number[] } {
  const most = (text: string) => frameHeaderBytes + markBytes + note.length + 1 + text.length * 3;
  const bytes = Buffer.alloc(payloads.reduce((sum, text) => sum + most(text), 0));
  const starts = [0];
  for (const [index, payload] of payloads.entries()) {
    const mark = index % 3 === 1 ? undefined : marks[index % marks.length];
    starts.push(
      starts.at(-1)! +
        writeFrame(bytes, starts.at(-1)!, payload, mark, false, index % 5 === 3 ? note : undefined),
    );
  }
  return { bytes: bytes.subarray(0, starts.at(-1)!), starts };
}

const note = '["web-1",7,"1.42",""]';

const makeReader = async () => {
  const folder = await makeFolder();
  return async (bytes: Buffer, to = bytes.length) => {
    await writeFile(segmentPath(folder, 1), bytes);
    return readStretch(folder, 1, 0, to);
  };
};

const small = (count: number) => Array.from({ length: count }, (_, index) => payloadOf(index));
/** Records with their place among those of their millisecond, of which each has three. */
const placed = (count: number, text = 'record') =>
  Array.from({ length: count }, (_, index) => {
    const values: unknown[] = JSON.parse(payloadOf(Math.floor(index / 3), { text }));
    return JSON.stringify([...values, index % 3, 0]);
  });
const large = (number: number, bytes: number) => payloadOf(number, { text: 'x'.repeat(bytes) });

for (const [kind, hit] of [
  ['a frame', 1],
  ['a marked frame', 2],
  ['a frame with a note', 3],
] as const) {
  test(`a flipped bit anywhere in ${kind} loses that frame and no other`, async () => {
    const read = await makeReader();
    const payloads = small(5);
    const { bytes, starts } = frameAll(payloads);
    const others = payloads.toSpliced(hit, 1);
    for (let at = starts[hit]!; at < starts[hit + 1]!; at += 1) {
      for (const bit of [0, 7]) {
        const damaged = Buffer.from(bytes);
        damaged[at]! ^= 1 << bit;
        const found = await read(damaged);
        assert.deepEqual(found.payloads, others, `bit ${bit} of byte ${at - starts[hit]!}`);
        assert.equal(found.damagedPlaces, 1);
        assert.equal(found.damagedBytes, starts[hit + 1]! - starts[hit]!);
        assert.equal(found.next, bytes.length);
      }
    }
  });
}

test('a zeroed range loses the frames that it touches and no other', async () => {
  const read = await makeReader();
  const payloads = small(40);
  const { bytes, starts } = frameAll(payloads);
  await fc.assert(
    fc.asyncProperty(fc.nat(starts[38]!), fc.integer({ min: 1, max: 800 }), async (from, length) => {
      const to = Math.min(from + length, starts[39]!);
      fc.pre(from < to && !bytes.subarray(from, to).every((byte) => byte === 0));
      const damaged = Buffer.from(bytes).fill(0, from, to);
      const isTouched = (_: string, index: number) =>
        !damaged
          .subarray(starts[index]!, starts[index + 1]!)
          .equals(bytes.subarray(starts[index]!, starts[index + 1]!));
      const touched = payloads.filter(isTouched);
      const found = await read(damaged);
      assert.deepEqual(
        found.payloads,
        payloads.filter((payload) => !touched.includes(payload)),
      );
      assert.equal(found.damagedPlaces, 1);
      const firstTouched = payloads.indexOf(touched[0]!);
      assert.equal(found.damagedBytes, starts[firstTouched + touched.length]! - starts[firstTouched]!);
    }),
    { numRuns: times(15, 100) },
  );
});

// The reader takes 64 KB at a time, and 2 MB where that doesn't contain a whole frame.
for (const damagedBytes of [300_000, 1_200_000, 2_500_000, 7_000_000]) {
  test(`skips damage of ${damagedBytes} bytes, counts it once, and reads everything around it`, async () => {
    const read = await makeReader();
    const before = small(2000);
    const behind = Array.from({ length: 2000 }, (_, index) => payloadOf(10_000 + index));
    const lost = Array.from({ length: Math.ceil(damagedBytes / 100_000) }, (_, index) =>
      large(5000 + index, 100_000),
    );
    const { bytes, starts } = frameAll([...before, ...lost, ...behind]);
    const [from, to] = [starts[before.length]!, starts[before.length + lost.length]!];
    for (const filler of [0, 0xff, 0x5b]) {
      const found = await read(Buffer.from(bytes).fill(filler, from, to));
      assert.equal(
        found.payloads.join('\n') === [...before, ...behind].join('\n'),
        true,
        `filled with ${filler}`,
      );
      assert.equal(found.damagedBytes, to - from);
      assert.equal(found.damagedPlaces, 1);
      assert.equal(found.next, bytes.length);
    }
  });
}

test('reads no frame twice when long damage follows a frame larger than one read', async () => {
  const read = await makeReader();
  const before = [large(0, 340_000), ...Array.from({ length: 15 }, (_, index) => large(1 + index, 90_000))];
  const lost = Array.from({ length: 40 }, (_, index) => large(100 + index, 100_000));
  const behind = small(10);
  const { bytes, starts } = frameAll([...before, ...lost, ...behind]);
  const [from, to] = [starts[before.length]!, starts[before.length + lost.length]!];
  const found = await read(Buffer.from(bytes).fill(0, from, to));
  assert.deepEqual(
    found.payloads.map((payload) => payload.length),
    [...before, ...behind].map((payload) => payload.length),
  );
  assert.equal(found.damagedBytes, to - from);
});

test('reads each frame around several damaged places of any size once', async () => {
  const read = await makeReader();
  const sizes = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 500 }) },
    { weight: 1, arbitrary: fc.integer({ min: 500, max: 340_000 }) },
  );
  const frame = fc.record({ size: sizes, isDamaged: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 40 }), async (frames) => {
      const payloads = frames.map(({ size }, index) => large(index, size));
      const { bytes, starts } = frameAll([...payloads, payloadOf(99_999)]);
      frames.forEach(({ isDamaged }, index) => {
        if (isDamaged) bytes.fill(0, starts[index]!, starts[index + 1]!);
      });
      const found = await read(bytes);
      const whole = payloads.filter((_, index) => !frames[index]!.isDamaged);
      // Comparing their beginnings is enough, because each has its own time of receipt.
      const begin = (payload: string) => payload.slice(0, 45);
      assert.deepEqual(found.payloads.map(begin), [...whole, payloadOf(99_999)].map(begin));
      const lostBytes = frames.reduce(
        (sum, { isDamaged }, index) => sum + (isDamaged ? starts[index + 1]! - starts[index]! : 0),
        0,
      );
      assert.equal(found.damagedBytes, lostBytes);
    }),
    { numRuns: times(10, 60) },
  );
});

test('reads each frame once if a piece of the segment is there twice', async () => {
  const read = await makeReader();
  const payloads = placed(8);
  const { bytes, starts } = frameAll(payloads);
  for (let from = starts[1]!; from < starts[3]!; from += 7) {
    for (let to = from + 1; to < bytes.length; to += 11) {
      const doubled = Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
      const found = await read(doubled);
      // A frame that has a piece of its own middle twice is torn for good.
      const torn = starts.findIndex((start, index) => start < from && to < starts[index + 1]!);
      const left = torn === -1 ? payloads : payloads.toSpliced(torn, 1);
      assert.deepEqual(found.payloads, left, `${from} to ${to}`);
      const tornBytes = torn === -1 ? 0 : starts[torn + 1]! - starts[torn]!;
      assert.equal(found.damagedBytes, to - from + tornBytes, `${from} to ${to}`);
    }
  }
});

test('reads each frame once if whole frames are there twice, wherever the reading begins', async () => {
  const folder = await makeFolder();
  const payloads = placed(12);
  const { bytes, starts } = frameAll(payloads);
  for (let first = 0; first < 12; first += 1) {
    for (let last = first + 1; last <= 12; last += 1) {
      const [from, to] = [starts[first]!, starts[last]!];
      const doubled = Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
      await writeFile(segmentPath(folder, 1), doubled);
      for (const begin of [0, to]) {
        const found = await readStretch(folder, 1, begin, doubled.length);
        const what = `${first} to ${last}, read from ${begin}`;
        assert.deepEqual(found.payloads, begin === 0 ? payloads : payloads.slice(last), what);
        assert.equal(found.damagedBytes, to - from, what);
      }
    }
  }
});

test('records from after the clock was set back are no copies', async () => {
  const read = await makeReader();
  const before = placed(9);
  const after = placed(9, 'another record');
  const { bytes } = frameAll([...before, ...after, ...placed(3, 'a third record')]);
  const found = await read(bytes);
  assert.deepEqual(found.payloads, [...before, ...after, ...placed(3, 'a third record')]);
  assert.equal(found.damagedBytes, 0);
});

test('a copy that is larger than one read is left out as well', async () => {
  const read = await makeReader();
  const payloads = Array.from({ length: 400 }, (_, index) => large(index, 900));
  const { bytes, starts } = frameAll(payloads);
  const [from, to] = [starts[20]! + 100, starts[310]! + 200];
  const found = await read(Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]));
  assert.deepEqual(found.payloads, payloads);
  assert.equal(found.damagedBytes, to - from);
});

test('stops at the last whole frame when the rest is cut off or unreadable', async () => {
  const read = await makeReader();
  const { bytes, starts } = frameAll(small(3));
  for (let to = starts[2]! + 1; to < starts[3]!; to += 1) {
    const found = await read(bytes, to);
    assert.deepEqual(found.payloads, small(2));
    assert.equal(found.next, starts[2]);
    assert.equal(found.damagedBytes, 0, 'a cut is not damage');
  }
  const found = await read(Buffer.concat([bytes.subarray(0, starts[2]!), Buffer.alloc(5000)]));
  assert.deepEqual(found.payloads, small(2));
  assert.equal(found.next, starts[2]);
});

test('does not mistake text for a frame', async () => {
  const read = await makeReader();
  const inner = Buffer.alloc(200);
  // JSON contains no raw byte below 32, but the third byte of every length is one. So no text in a payload
  // can contain a frame.
  for (const mark of [undefined, ...marks]) {
    const text = inner.toString('latin1', 0, writeFrame(inner, 0, payloadOf(7), mark));
    const payloads = [payloadOf(1, { text }), payloadOf(2), payloadOf(3)];
    const { bytes } = frameAll(payloads);
    bytes[3]! ^= 1;
    assert.deepEqual((await read(bytes)).payloads, payloads.slice(1));
  }
});

test('a marked frame returns its mark, and its payload as if there were none', async () => {
  const folder = await makeFolder();
  const { bytes } = frameAll(small(5));
  await writeFile(segmentPath(folder, 1), bytes);
  const found: [string | undefined, string][] = [];
  for await (const { frames } of readFrames(folder, 1, 0, bytes.length)) {
    for (const { bytes, mark, start, end } of frames) {
      const text = mark === undefined ? undefined : bytes.toString('latin1', mark, mark + markBytes);
      found.push([text, bytes.toString('utf8', start, end)]);
    }
  }
  const expected = [marks[0], undefined, marks[2], marks[0], undefined].map((mark) =>
    mark?.toString('latin1'),
  );
  assert.deepEqual(
    found,
    small(5).map((payload, index) => [expected[index], payload]),
  );
});

test('leaves out frames that are only notes, unless all are asked for', async () => {
  const folder = await makeFolder();
  const bytes = Buffer.alloc(4096);
  let end = 0;
  for (const [payload, text] of [
    ['', '["first"]'],
    [payloadOf(1), undefined],
    ['', '["second"]'],
    [payloadOf(2), '["of a record"]'],
    ['', '["third"]'],
  ] as const)
    end += writeFrame(bytes, end, payload, undefined, false, text);
  await writeFile(segmentPath(folder, 1), bytes.subarray(0, end));
  const { payloads, next, damagedBytes } = await readStretch(folder, 1, 0, end);
  assert.deepEqual([payloads, next, damagedBytes], [[payloadOf(1), payloadOf(2)], end, 0]);
  const notes: (string | undefined)[] = [];
  for await (const { frames } of readAllFrames(folder, 1, 0, end)) notes.push(...frames.map(noteOf));
  assert.deepEqual(notes, ['["first"]', undefined, '["second"]', '["of a record"]', '["third"]']);
});
