import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { times } from '../../../test/support/long-form.ts';
import { createFakeClock, makeFolder, openTestControl } from '../../control/test-control.ts';
import { listSegments, segmentPath } from '../../journal/segment-file.ts';
import { openTestNode, startTestNode } from '../test-intake.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const start = '2026-03-10T09:00:00Z';

/** Returns how many records a website has used, according to its allowance. */
const usedOf = (
  contingent: { allowance(website: { id: number; contingent: number }, nowMs: number): unknown },
  id: number,
  nowMs: number,
) => 1e6 - (contingent.allowance({ id, contingent: 1e6 }, nowMs) as { remaining: number }).remaining;

test('accepts exactly as many as the contingent, with many records in progress', async (t) => {
  const clock = createFakeClock(start);
  const { accept, contingent } = await startTestNode(t, { clock });
  const website = { id: 1, contingent: 137 };
  const verdicts = await Promise.all(Array.from({ length: 400 }, () => accept(website)));
  assert.equal(verdicts.filter(Boolean).length, 137);
  assert.equal(contingent.allowance(website, clock.now())?.remaining, 0);
  assert.equal(await accept(website), false);
  assert.deepEqual(contingent.usage(1, clock.now()).refused, 264);
  assert.equal(contingent.usage(2, clock.now()).refused, 0);
});

test('counts each website separately', async (t) => {
  const { accept } = await startTestNode(t, { clock: createFakeClock(start) });
  assert.equal(await accept({ id: 1, contingent: 1 }), true);
  assert.equal(await accept({ id: 1, contingent: 1 }), false);
  assert.equal(await accept({ id: 2, contingent: 1 }), true);
});

test('continues counting when the journal starts over under another name', async (t) => {
  const clock = createFakeClock(start);
  const folder = await makeFolder(t);
  const { control } = await openTestControl(t, { folder: join(folder, 'control'), clock });
  const settled = [{ websiteId: 1, month: '2026-03', records: 4 }];
  await control.usage.checkpoint({ node: 'an-older-name', position: { segment: 9, offset: 9 }, settled });
  const { accept, contingent, journal } = await openTestNode({ folder, control, clock });
  t.after(() => journal.close());
  const website = { id: 1, contingent: 5 };
  assert.equal(contingent.allowance(website, clock.now())?.remaining, 1);
  assert.deepEqual([await accept(website), await accept(website)], [true, false]);
  await contingent.checkpoint();
  assert.equal(await control.usage.usedOf(1, '2026-03'), 5);
});

test('returns the place of a record that could not be written', async (t) => {
  const clock = createFakeClock(start);
  const { contingent } = await startTestNode(t, { clock });
  const website = { id: 1, contingent: 1 };
  const place = contingent.reserve(website, clock.now());
  assert.ok(place);
  assert.equal(contingent.reserve(website, clock.now()), undefined);
  contingent.release(place);
  assert.equal(contingent.allowance(website, clock.now())?.remaining, 1);
  assert.ok(contingent.reserve(website, clock.now()));
});

test('never refuses a website without a limit, and reports no allowance', async (t) => {
  const clock = createFakeClock(start);
  const { contingent } = await startTestNode(t, { clock });
  const website = { id: 1, contingent: null };
  for (let record = 0; record < 10_000; record += 1) assert.ok(contingent.reserve(website, clock.now()));
  assert.equal(contingent.allowance(website, clock.now()), undefined);
});

test('refuses everything with a contingent of 0', async (t) => {
  const { accept } = await startTestNode(t, { clock: createFakeClock(start) });
  assert.equal(await accept({ id: 1, contingent: 0 }), false);
});

test('a lowered contingent refuses from the next record on, and a raised one accepts again', async (t) => {
  const clock = createFakeClock(start);
  const { accept, contingent } = await startTestNode(t, { clock });
  for (let record = 0; record < 10; record += 1) assert.equal(await accept({ id: 1, contingent: 100 }), true);
  const lowered = { id: 1, contingent: 5 };
  assert.equal(await accept(lowered), false);
  assert.deepEqual(contingent.allowance(lowered, clock.now()), {
    limit: 5,
    remaining: 0,
    secondsToReset: (Date.parse('2026-04-01T00:00:00Z') - Date.parse(start)) / 1000,
  });
  const raised = { id: 1, contingent: 12 };
  assert.deepEqual(await Promise.all([accept(raised), accept(raised), accept(raised)]), [true, true, false]);
  assert.equal(await accept({ id: 1, contingent: null }), true);
});

test('resets with the month in UTC, to the millisecond', async (t) => {
  const clock = createFakeClock('2026-12-31T23:59:59.999Z');
  const { accept, contingent } = await startTestNode(t, { clock });
  const website = { id: 1, contingent: 1 };
  assert.equal(await accept(website), true);
  assert.equal(await accept(website), false);
  assert.equal(contingent.allowance(website, clock.now())?.secondsToReset, 1);
  clock.pass(1);
  const january = { limit: 1, remaining: 1, secondsToReset: 31 * 24 * 60 * 60 };
  assert.deepEqual(contingent.allowance(website, clock.now()), january);
  assert.equal(await accept(website), true);
  assert.equal(await accept(website), false);
});

test('a record counts for the month in which it arrived, even if it was written in the next', async (t) => {
  const clock = createFakeClock('2026-03-31T23:59:59.900Z');
  const { contingent, control } = await startTestNode(t, { clock });
  const website = { id: 1, contingent: 2 };
  const [written, lost] = [
    contingent.reserve(website, clock.now()),
    contingent.reserve(website, clock.now()),
  ];
  assert.ok(written && lost);
  clock.pass(200);
  contingent.settle(written);
  contingent.release(lost);
  assert.equal(contingent.allowance(website, clock.now())?.remaining, 2);
  await contingent.checkpoint();
  assert.equal(await control.usage.usedOf(1, '2026-03'), 1);
  assert.equal(await control.usage.usedOf(1, '2026-04'), 0);
});

test('a clock that is set back to an earlier month finds the counts of that month', async (t) => {
  const clock = createFakeClock('2026-04-01T00:30:00Z');
  const { accept, contingent } = await startTestNode(t, { clock });
  const website = { id: 1, contingent: 3 };
  clock.jump(-hourMs);
  await accept(website);
  await accept(website);
  clock.jump(hourMs);
  await accept(website);
  clock.jump(-hourMs);
  assert.equal(contingent.allowance(website, clock.now())?.remaining, 1);
  clock.jump(hourMs);
  assert.equal(contingent.allowance(website, clock.now())?.remaining, 2);
});

test('a clock that was years ahead for a while loses no count', async (t) => {
  const clock = createFakeClock(start);
  const { accept, contingent, control } = await startTestNode(t, { clock });
  const website = { id: 1, contingent: 2 };
  await accept(website);
  await contingent.checkpoint();
  clock.jump(3 * 365 * dayMs);
  await accept(website);
  await contingent.checkpoint();
  clock.jump(-3 * 365 * dayMs);
  assert.equal(contingent.allowance(website, clock.now())?.remaining, 1);
  assert.equal(await accept(website), true);
  assert.equal(await accept(website), false);
  await contingent.checkpoint();
  assert.equal(await control.usage.usedOf(1, '2026-03'), 2);
});

test('a failed checkpoint keeps its counts for the next one', async (t) => {
  const clock = createFakeClock(start);
  const folder = await makeFolder(t);
  const controlFolder = join(folder, 'control');
  const { control: broken } = await openTestControl(t, { folder: controlFolder, clock });
  const { control } = await openTestControl(t, { folder: controlFolder, clock });
  let isBroken = true;
  const usage: typeof control.usage = {
    ...control.usage,
    checkpoint: (options) => (isBroken ? broken : control).usage.checkpoint(options),
  };
  const opened = await openTestNode({ folder, control: { ...control, usage }, clock });
  t.after(() => opened.journal.close());
  await opened.accept({ id: 1, contingent: null });
  await broken.close();
  await assert.rejects(opened.contingent.checkpoint());
  assert.equal(opened.contingent.covered(), undefined);
  assert.equal(await control.usage.usedOf(1, '2026-03'), 0);

  await opened.accept({ id: 2, contingent: null });
  isBroken = false;
  await opened.contingent.checkpoint();
  assert.equal(await control.usage.usedOf(1, '2026-03'), 1);
  assert.equal(await control.usage.usedOf(2, '2026-03'), 1);
  assert.deepEqual(opened.contingent.covered(), opened.journal.durable());
});

test('writes nothing while nothing changes', async (t) => {
  const { accept, contingent, control } = await startTestNode(t, { clock: createFakeClock(start) });
  await accept({ id: 1, contingent: null });
  await contingent.checkpoint();
  await control.close();
  await contingent.checkpoint();
});

type Step = { kind: 'accept' | 'checkpoint' | 'crash' | 'tear' | 'rotate' | 'pass'; website: number };

test('counts exactly what was answered, wherever crashes and checkpoints happen', async (t) => {
  const kinds: Step['kind'][] = [
    'accept',
    'accept',
    'accept',
    'checkpoint',
    'crash',
    'tear',
    'rotate',
    'pass',
  ];
  const step = fc.record({ kind: fc.constantFrom(...kinds), website: fc.integer({ min: 1, max: 3 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps: Step[]) => {
      const clock = createFakeClock('2026-03-30T12:00:00Z');
      const folder = await makeFolder(t);
      const { control } = await openTestControl(t, { folder: join(folder, 'control'), clock });
      const answered = new Map<string, number>();
      const months = () => [...new Set([...answered.keys()].map((key) => key.slice(2)))];
      let opened = await openTestNode({ folder, control, clock });
      const restart = async () => {
        await opened.crash();
        opened = await openTestNode({ folder, control, clock });
      };
      const check = () => {
        for (const month of months()) {
          const nowMs = Date.parse(`${month}-15T00:00:00Z`);
          for (const id of [1, 2, 3]) {
            assert.equal(usedOf(opened.contingent, id, nowMs), answered.get(`${id} ${month}`) ?? 0);
          }
        }
      };
      const take: Record<Step['kind'], (website: number) => Promise<unknown>> = {
        accept: async (id) => {
          const key = `${id} ${new Date(clock.now()).toISOString().slice(0, 7)}`;
          const burst = Array.from({ length: id * 3 }, () => opened.accept({ id, contingent: null }));
          await Promise.all(burst);
          answered.set(key, (answered.get(key) ?? 0) + burst.length);
        },
        checkpoint: () => opened.contingent.checkpoint(),
        crash: restart,
        // Leaves a write that the crash cut off and that was never acknowledged.
        tear: async (id) => {
          const journal = join(folder, 'journal');
          const last = (await listSegments(journal)).at(-1)!;
          await opened.crash();
          await appendFile(segmentPath(journal, last), Buffer.from([99, 0, 0, 0, id, 2, 3]));
          opened = await openTestNode({ folder, control, clock });
        },
        rotate: () => opened.journal.rotate(),
        pass: async (days) => clock.pass(days * dayMs),
      };
      for (const { kind, website } of steps) {
        await take[kind](website);
        check();
      }
      await restart();
      check();
      await opened.contingent.checkpoint();
      for (const [key, records] of answered) {
        const [id, month] = key.split(' ') as [string, string];
        assert.equal(await control.usage.usedOf(Number(id), month), records);
      }
      await opened.journal.close();
      await control.close();
    }),
    { numRuns: times(3, 40) },
  );
});
