import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTrackside } from '../support/start-trackside.ts';
import { waitFor } from '../support/wait-for.ts';
import { assertAnswer } from './assert-answer.ts';
import { assertStored } from './assert-stored.ts';
import { type ContractCase, loadCases } from './load-cases.ts';
import { sendCase } from './send-case.ts';

const hasStoredPart = ({ stored, storedNowhere }: ContractCase) =>
  Object.keys(stored).length + storedNowhere.length > 0;

test('the server keeps the contract', async (t) => {
  const trackside = await startTrackside(t);
  const cases = loadCases();
  const limited = await trackside.addWebsite('limited.test', 100_000);
  const exhausted = await trackside.addWebsite('exhausted.test', 0);
  const websites = new Map<string, { id: number; apiKey: string }>();
  for (const [number, { file }] of cases.entries()) {
    websites.set(file, await trackside.addWebsite(`case-${number}.test`));
  }
  const keysOf = (file: string) => ({
    valid: websites.get(file)!.apiKey,
    limited: limited.apiKey,
    exhausted: exhausted.apiKey,
    unknown: 'A'.repeat(43),
  });
  const last = cases.at(-1)!;
  await waitFor('the server to know the websites', async () => {
    const target = { origin: trackside.origin(), keys: keysOf(last.file) };
    return (await sendCase(target, cases.find(({ verdict }) => verdict === 'accepted')!)).status === 200;
  });
  const before = await acceptedBefore();

  for (const contractCase of cases) {
    await t.test(contractCase.title, async () => {
      const target = { origin: trackside.origin(), keys: keysOf(contractCase.file) };
      assertAnswer(contractCase, await sendCase(target, contractCase));
    });
  }

  await waitFor('the store to have every accepted record', async () => {
    return (
      (await trackside.countRows()) >= before + cases.filter(({ verdict }) => verdict === 'accepted').length
    );
  });
  await t.test('stores each accepted record once, and no refused one', async () => {
    const accepted = cases.filter(({ verdict }) => verdict === 'accepted');
    assert.equal(await trackside.countRows(), before + accepted.length);
  });
  for (const contractCase of cases.filter(hasStoredPart)) {
    await t.test(`stores what it says: ${contractCase.title}`, async () => {
      const { id } = websites.get(contractCase.file)!;
      const [row] = await trackside.store.query<Record<string, unknown>>({
        query: 'select * from records where website_id = {id:UInt32} order by received_at desc limit 1',
        params: { id },
      });
      assert.ok(row, 'expected a row');
      assertStored(contractCase, row);
    });
  }

  /** Returns the number of records that were sent while waiting for the websites. */
  async function acceptedBefore(): Promise<number> {
    await waitFor('the first record to be loaded', async () => (await trackside.countRows()) === 1);
    return 1;
  }
});
