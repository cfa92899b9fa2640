import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { times } from '../../../test/support/long-form.ts';
import { createFakeClock, makeFolder, openTestControl } from '../../control/test-control.ts';
import { openTestNode, payloadOf, senderOf, type TestNode, website } from '../test-intake.ts';
import { readLedger } from './read-ledger.ts';
import { createLedgerModel, type ModelOutcome } from './test-ledger-model.ts';

const hourMs = 3_600_000;
const days = { from: '2026-03-10', to: '2026-03-11' };
const shape = { code: 400, field: 'Body', expected: 'a JSON object', got: 'nothing' };
const noted = {
  refused: 'refused',
  excluded: 'excluded',
  overQuota: 'over_quota',
  repeated: 'repeated',
} as const;

/** What happens next. A number is one that the stream has reached, or a few before or behind it. */
const anyStep = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      node: fc.nat(1),
      stream: fc.option(fc.constantFrom('web-1', 'web-2'), { nil: undefined, freq: 4 }),
      ahead: fc.integer({ min: -6, max: 4 }),
      outcome: fc.constantFrom<ModelOutcome>(
        'accepted',
        'accepted',
        'refused',
        'excluded',
        'overQuota',
        'repeated',
      ),
      release: fc.constantFrom('', '1.42'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), node: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('checkpoint' as const), node: fc.nat(1) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 5, max: 100 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('fold' as const), hours: fc.integer({ min: 1, max: 6 }) }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;

/** Takes the steps with two nodes on one control, and returns the hours of the ledger and of the model. */
async function run(t: TestContext, steps: readonly Step[]) {
  const clock = createFakeClock('2026-03-10T00:20:00Z');
  const folder = await makeFolder(t);
  const { control } = await openTestControl(t, { folder: join(folder, 'control'), clock });
  const open = (at: number): Promise<TestNode> =>
    openTestNode({ folder: join(folder, `${at}`), control, clock, name: `n000000000${at}`, isShared: true });
  const nodes = [await open(0), await open(1)];
  const model = createLedgerModel();
  const reached = new Map<string, number>();

  async function send(step: Extract<Step, { kind: 'send' }>): Promise<void> {
    const { outcome, release, stream } = step;
    const { journal, tally, contingent } = nodes[step.node]!;
    const before = stream === undefined ? 0 : (reached.get(stream) ?? 0);
    const number = Math.max(1, before + step.ahead);
    if (stream !== undefined) reached.set(stream, Math.max(before, number));
    const sequence = stream === undefined ? undefined : { stream, number, text: `${stream}.${number}` };
    const of = website({ contingent: null });
    const sender = senderOf(of, { release, sequence });
    const atMs = clock.now();
    const isFolded = stream !== undefined && model.isFolded(stream, number);
    model.arrive({ hour: atMs - (atMs % hourMs), outcome, stream, number });
    await new Promise<void>((resolve) => {
      if (outcome !== 'accepted') {
        tally.note(sender, { outcome: noted[outcome], ...(outcome === 'refused' && { shape }) }, resolve);
        return;
      }
      const done = () => {
        tally.accepted(sender, atMs);
        resolve();
      };
      journal.append(payloadOf(of.id, atMs), done, undefined, tally.noteFor(sender));
    });
    // What arrives so late is counted by checkpoints, which can't tell a repeat from the first one.
    if (isFolded) await contingent.checkpoint();
  }

  for (const step of steps) {
    if (step.kind === 'send') await send(step);
    else if (step.kind === 'pass') clock.pass(step.minutes * 60_000);
    else if (step.kind === 'checkpoint') await nodes[step.node]!.contingent.checkpoint();
    else if (step.kind === 'kill') {
      await nodes[step.node]!.crash();
      nodes[step.node] = await open(step.node);
    } else {
      // All that was counted is written before hours are so old that they are folded.
      for (const { contingent } of nodes) await contingent.checkpoint();
      const before = clock.now() - (clock.now() % hourMs) - step.hours * hourMs;
      await control.tallies.fold(before);
      model.fold(before);
    }
  }
  for (const { contingent } of nodes) await contingent.checkpoint();
  const ledger = await readLedger(control, { id: 1, timezone: 'UTC' }, days, clock);
  for (const { journal } of nodes) await journal.close();
  await control.close();
  return { ledger, expected: model.hours(clock.now()) };
}

test('adds up in every hour, as a plain model does, over losses, repeats, delays and kills', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 60 }), async (steps) => {
      const { ledger, expected } = await run(t, steps);
      const hours = Object.fromEntries(ledger.hours.map(({ hour, ...counts }) => [hour, counts]));
      assert.deepEqual(hours, expected);
      for (const { sent, accepted, refused, excluded, overQuota, missing } of [
        ledger.totals,
        ...ledger.hours,
      ])
        assert.equal(sent, accepted + refused + excluded + overQuota + missing);
      const missing = ledger.gaps.reduce((sum, { records }) => sum + records, 0);
      assert.ok(missing <= ledger.totals.missing);
      for (const parts of [ledger.releases, ledger.keys])
        assert.equal(
          parts.reduce((sum, { sent }) => sum + sent, 0),
          ledger.totals.sent,
        );
    }),
    { numRuns: times(8, 300) },
  );
});
