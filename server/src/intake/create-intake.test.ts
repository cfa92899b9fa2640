import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { event, pageView } from '../../test/support/records.ts';
import { createFakeClock, silentLog } from '../control/test-control.ts';
import { readFrames } from '../journal/read-frames.ts';
import { segmentPath } from '../journal/segment-file.ts';
import { createIntake } from './create-intake.ts';
import { readIdempotencyKey } from './idempotency/idempotency-hash.ts';
import { type AskHolders, openIdempotencyIndex } from './idempotency/idempotency-index.ts';
import { type Parsed, parse, type RecordKind } from './steps/validate.ts';
import { secretOf, senderOf, startTestNode, website } from './test-intake.ts';
import type { Verdict } from './verdict.ts';

const apiKeys = new Map();
const keyUsedAtMs = new Map();

type Options = {
  maxBytes?: number;
  hasSalt?: boolean;
  onBroken?: (error: Error) => void;
  askHolders?: AskHolders;
  isShared?: boolean;
  start?: string;
};

async function open(t: TestContext, options: Options = {}) {
  const { hasSalt = true, start = '2026-03-10T09:00:00Z', askHolders, ...rest } = options;
  const clock = createFakeClock(start);
  const { journal, contingent, tally } = await startTestNode(t, { clock, ...rest });
  const salts = { byDate: { get: () => (hasSalt ? secretOf(1) : undefined) }, askForMissing() {} };
  const idempotencyIndex = await openIdempotencyIndex({
    journal,
    clock,
    log: silentLog(),
    maxKeys: 100,
    maxRecalledBytes: 1e9,
  });
  const intake = createIntake({
    apiKeys,
    keyUsedAtMs,
    contingent,
    tally,
    salts,
    journal,
    idempotencyIndex,
    askHolders,
    lateHours: 25,
    clock,
  });
  const accept = (kind: RecordKind, of: ReturnType<typeof website>, body: unknown) =>
    new Promise<Verdict>((resolve, reject) =>
      intake.take(
        { ...senderOf(of), kind, key: undefined },
        Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
        resolve,
        reject,
      ),
    );
  const payloads = async () => {
    const found: string[] = [];
    for (const segment of journal.segments()) {
      for await (const { frames } of readFrames(
        journal.folder,
        segment.number,
        segment.firstFrame,
        segment.end,
      ))
        for (const { bytes, start, end } of frames) found.push(bytes.toString('utf8', start, end));
    }
    return found;
  };
  return { intake, accept, payloads, journal, clock };
}

const limited = website({ contingent: 3 });
const refusedAs = (verdict: Verdict) => ('refused' in verdict ? verdict.refused : 'accepted');

test('answers once the record is in the journal', async (t) => {
  const { accept, payloads, intake } = await open(t);
  assert.equal(refusedAs(await accept('page_view', limited, pageView())), 'accepted');
  const [payload, ...others] = await payloads();
  assert.deepEqual(others, []);
  assert.match(payload!, /^\["2026-03-10",1,"2026-03-10 09:00:00\.000"/);
  assert.equal(intake.allowance(limited)?.remaining, 2);
});

test('refuses a bad body before checking the contingent, and uses neither it nor the journal', async (t) => {
  const { accept, payloads, intake } = await open(t);
  const exhausted = website({ contingent: 0 });
  assert.equal(refusedAs(await accept('page_view', exhausted, '{')), 'malformed');
  assert.equal(refusedAs(await accept('event', exhausted, pageView())), 'malformed');
  assert.equal(refusedAs(await accept('page_view', exhausted, pageView())), 'contingent-used-up');
  assert.equal(refusedAs(await accept('page_view', limited, '{}')), 'malformed');
  assert.equal(intake.allowance(limited)?.remaining, 3);
  assert.deepEqual(await payloads(), []);
});

test('names the contingent that is used up, and when it resets', async (t) => {
  const { accept } = await open(t);
  const refusalOf = async (contingent: number) => {
    const verdict = await accept('event', website({ contingent }), event('Signup', []));
    assert.ok('message' in verdict);
    return verdict.message;
  };
  assert.match(await refusalOf(0), /contingent of 0 records is used up until the first of next month/);
  await accept('event', website({ contingent: 1 }), event('Signup', []));
  assert.match(await refusalOf(1), /contingent of 1 record is used up/);
});

test('returns the place when there is no salt, and when the journal is full', async (t) => {
  const unsalted = await open(t, { hasSalt: false });
  assert.equal(refusedAs(await unsalted.accept('page_view', limited, pageView())), 'no-salt');
  assert.equal(unsalted.intake.allowance(limited)?.remaining, 3);
  const full = await open(t, { maxBytes: 1 });
  assert.equal(refusedAs(await full.accept('page_view', limited, pageView())), 'journal-full');
  assert.equal(full.intake.allowance(limited)?.remaining, 3);
  assert.deepEqual(await full.payloads(), []);
});

test('returns the place when the journal has closed', async (t) => {
  const { accept, intake, journal } = await open(t);
  await journal.close();
  assert.equal(refusedAs(await accept('page_view', limited, pageView())), 'journal-closed');
  assert.equal(intake.allowance(limited)?.remaining, 3);
});

test('says that a record may be counted all the same if the disk fails while it is written', async (t) => {
  const broken: Error[] = [];
  const { accept, journal } = await open(t, { onBroken: (error) => void broken.push(error) });
  await rm(segmentPath(journal.folder, 1));
  const written = await accept('page_view', limited, pageView());
  assert.deepEqual(
    [refusedAs(written), 'outcome' in written && written.outcome],
    ['journal-broken', 'unknown'],
  );
  const late = await accept('page_view', limited, pageView());
  assert.deepEqual([refusedAs(late), 'outcome' in late], ['journal-closed', false]);
  assert.equal(broken.length, 1);
});

test('looks at one month while a record is admitted, even if it ends meanwhile', async (t) => {
  const { accept, clock } = await open(t, { start: '2026-03-31T23:59:59.999Z', isShared: true });
  // Large enough for a share of it that is more than the first record needs.
  const shared = website({ contingent: 100 });
  assert.equal(refusedAs(await accept('page_view', shared, pageView())), 'accepted');
  const now = clock.now;
  clock.now = () => {
    const nowMs = now();
    clock.pass(1);
    return nowMs;
  };
  assert.equal(refusedAs(await accept('page_view', shared, pageView())), 'accepted');
});

test('recognizes a repeat of what another node has, although a rule excludes it now', async (t) => {
  const taken = ['on another node', 'on another node, in a batch'];
  let asked = 0;
  const { intake } = await open(t, { askHolders: async () => (taken.length > asked++ ? 'taken' : 'free') });
  const of = website({ exclusions: [{ kind: 'path', value: '/pricing' }] });
  const body = Buffer.from(JSON.stringify(pageView()));
  const keyOf = (text: string) => {
    const key = readIdempotencyKey(text);
    assert.ok(!('refused' in key));
    return key;
  };
  const alone = (key: string) =>
    new Promise<Verdict>((resolve, reject) =>
      intake.take({ ...senderOf(of), kind: 'page_view', key: keyOf(key) }, body, resolve, reject),
    );
  const inBatch = (key: string) =>
    new Promise<Verdict>((resolve, reject) => {
      const record = { kind: 'page_view', key: keyOf(key), sequence: undefined, body, sent: body } as const;
      const sender = { ...senderOf(of), isFirst: false };
      intake
        .takeBatch(sender, [{ ...record, parsed: parse(body) as Parsed }], (_, verdict) => resolve(verdict))
        .catch(reject);
    });
  assert.deepEqual(await alone(taken[0]!), { repeated: true });
  assert.deepEqual(await inBatch(taken[1]!), { repeated: true });
  assert.ok('excluded' in (await alone('nowhere')));
  assert.ok('excluded' in (await inBatch('nowhere, in a batch')));
  assert.equal(asked, 4);
});

test('returns the place when a step throws', async (t) => {
  const { intake } = await open(t);
  const broken = website({ contingent: 3, timezone: 'Nowhere/Else' });
  const request = { ...senderOf(broken), kind: 'page_view', key: undefined } as const;
  const take = () =>
    intake.take(
      request,
      Buffer.from(JSON.stringify(pageView())),
      () => {},
      () => {},
    );
  assert.throws(take, RangeError);
  assert.equal(intake.allowance(broken)?.remaining, 3);
});

test('keeps the largest record that the rules allow', async (t) => {
  const { accept, payloads } = await open(t);
  const worst = '\u0001';
  const name = worst.repeat(256);
  const parameters = Array.from({ length: 12 }, () => ({ Name: name, Value: worst.repeat(2048) }));
  const url = (scheme: string) =>
    `${scheme}a.test/`.padEnd(4096, '\u3042').concat('?').padEnd(8192, '\u3042');
  const body = event(name, parameters, {
    Page: { Absolute: url('https://') },
    Referrer: { Absolute: url('android-app://') },
    Location: Object.fromEntries(
      [
        ['City', 256],
        ['PostalCode', 64],
        ['Region', 256],
        ['RegionCode', 64],
        ['Timezone', 256],
      ].map(([member, length]) => [member, worst.repeat(Number(length))]),
    ),
  });
  assert.equal(refusedAs(await accept('event', website(), body)), 'accepted');
  assert.equal((await payloads()).length, 1);
});
