import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { pageView, post } from '../support/records.ts';
import { useTracksideHereOfProcess } from '../support/share-trackside.ts';
import type { TracksideHere } from '../support/start-trackside.ts';
import { waitFor } from '../support/wait-for.ts';
import { assertAnswer } from './assert-answer.ts';
import { assertStored } from './assert-stored.ts';
import { type ContractCase, loadCases, loadUnstoredCases } from './load-cases.ts';
import { sendCase } from './send-case.ts';

const hasStoredPart = ({ stored, storedNowhere }: ContractCase) =>
  Object.keys(stored).length + storedNowhere.length > 0;

let trackside: TracksideHere;
const startShared = useTracksideHereOfProcess();
before(async () => {
  trackside = await startShared();
});

test('the server keeps the contract', async (t) => {
  const cases = loadCases();
  const limited = await trackside.addWebsite('limited.test', 100_000);
  // Websites of other tests have lower numbers.
  const countRows = () => trackside.countRows(`website_id >= ${limited.id}`);
  const exhausted = await trackside.addWebsite('exhausted.test', 0);
  const excluding = await trackside.addWebsite('excluding-case.test', 0);
  await trackside.control.websites.update(excluding.id, {
    exclusions: [{ kind: 'path', value: '/admin/*' }],
  });
  // What is stored of a case is found by its website. Refused cases share one.
  const websites = new Map<string, { id: number; apiKey: string }>();
  for (const [number, { file }] of cases.filter(({ verdict }) => verdict === 'accepted').entries()) {
    websites.set(file, await trackside.addWebsite(`case-${number}.test`));
  }
  const last = await trackside.addWebsite('shared.test');
  const keysOf = (file: string) => ({
    valid: (websites.get(file) ?? last).apiKey,
    limited: limited.apiKey,
    exhausted: exhausted.apiKey,
    excluding: excluding.apiKey,
    unknown: 'A'.repeat(43),
  });
  await waitFor('the server to know the websites', async () => {
    const { status } = await post(trackside.origin(), '/api/page-view', last.apiKey, pageView());
    return status === 200;
  });
  const before = await acceptedBefore();
  const expectedRows = cases.reduce((sum, { rows }) => sum + rows, 0);

  // What is never stored comes first: the number of rows at the end shows that none of it was.
  for (const contractCase of [...loadUnstoredCases(), ...cases]) {
    await t.test(contractCase.title, async () => {
      const target = { origin: trackside.origin(), keys: keysOf(contractCase.file) };
      assertAnswer(contractCase, await sendCase(target, contractCase));
    });
  }

  await waitFor('the store to have every accepted record', async () => {
    return (await countRows()) >= before + expectedRows;
  });
  await t.test('stores each accepted record once, and no refused one', async () => {
    assert.equal(await countRows(), before + expectedRows);
  });
  const rows = await trackside.store.query<Record<string, unknown>>({
    query: `select * from records where website_id >= ${limited.id} order by received_at`,
  });
  const newest = new Map(rows.map((row) => [row.website_id, row]));
  for (const contractCase of cases.filter(hasStoredPart)) {
    await t.test(`stores what the case says: ${contractCase.title}`, () => {
      const row = newest.get(websites.get(contractCase.file)!.id);
      assert.ok(row, 'expected a row');
      assertStored(contractCase, row);
    });
  }

  /** Returns the number of records that were sent while waiting for the websites. */
  async function acceptedBefore(): Promise<number> {
    await waitFor('the first record to be loaded', async () => (await countRows()) === 1);
    return 1;
  }
});
