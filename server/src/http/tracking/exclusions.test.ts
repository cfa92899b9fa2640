import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import { requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { pageView } from '../../../test/support/records.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { readJournal } from '../../journal/test-journal.ts';
import { startTestHttp } from '../test-http.ts';

/** A request with a query goes to Node's parser. Everything else is the same. */
const paths = { 'in the fast lane': '/api/page-view', 'by Node': '/api/page-view?a' } as const;
const onPricing: Exclusion = { kind: 'path', value: '/pricing' };

async function open(t: TestContext, contingent: number | null = 2) {
  const parts = await startTestHttp(t, { clock: createFakeClock('2026-03-10T09:00:00Z') });
  const { id, apiKey } = await parts.addWebsite('a.test', contingent);
  const send = async (headers: Record<string, string> = {}, path: string = paths['in the fast lane']) => {
    const own = { Authorization: apiKey, ...headers };
    const answer = await sendRaw(parts.origin, requestText('POST', path, own, JSON.stringify(pageView())));
    const { Code, Message, ...more } = JSON.parse(answer!.body);
    return { code: Code, message: Message, more, remaining: answer!.headers['contingent-remaining'] };
  };
  return { ...parts, id, send };
}

for (const [lane, path] of Object.entries(paths))
  test(`an excluded record is answered ${lane}, counted as such, and not stored`, async (t) => {
    const { send, setExclusions, counts, journal, recent, id } = await open(t);
    await setExclusions(id, [onPricing]);
    const expected = {
      code: 200,
      message: 'Excluded: the path matches /pricing',
      more: {},
      remaining: '2',
    };
    assert.deepEqual(await send({}, path), expected);
    assert.equal((await readJournal(journal)).length, 0);
    assert.deepEqual(counts.excluded, new Map([[id, new Map([['path', 1]])]]));
    assert.deepEqual([counts.accepted.page_view, counts.refused.size], [0, 0]);
    const { requests, excluded } = recent.list(id);
    assert.equal(excluded, 1);
    assert.partialDeepStrictEqual(requests, [{ code: 200, isExcluded: true, message: expected.message }]);

    await setExclusions(id, []);
    assert.deepEqual(await send({}, path), { ...expected, message: 'Success', remaining: '1' });
  });

test('a website whose contingent is used up still answers 200 to excluded records', async (t) => {
  const { send, setExclusions, id } = await open(t, 0);
  assert.equal((await send()).code, 429);
  await setExclusions(id, [onPricing]);
  assert.equal((await send()).code, 200);
});

test('an excluded record with a key is not remembered, and a record before the rule is', async (t) => {
  const { send, setExclusions, counts, journal, id } = await open(t);
  const [first, second] = [{ 'Idempotency-Key': 'a' }, { 'Idempotency-Key': 'b' }];
  assert.equal((await send(first)).message, 'Success');
  await setExclusions(id, [onPricing]);
  assert.equal((await send(first)).message, 'Success', 'the same answer as the first time');
  assert.match((await send(second)).message, /^Excluded/);
  await setExclusions(id, []);
  assert.equal((await send(second)).message, 'Success');
  assert.equal((await readJournal(journal)).length, 2);
  assert.deepEqual([counts.accepted.page_view, counts.repeated.page_view], [2, 1]);
});

test('a dry run says whether a record would be excluded', async (t) => {
  const { send, setExclusions, counts, id } = await open(t, 0);
  await setExclusions(id, [onPricing]);
  const { code, message, more } = await send({ 'Trackside-Dry-Run': '1' });
  assert.deepEqual(
    [code, message, more.Understood.Excluded],
    [200, 'Excluded: the path matches /pricing', 'path'],
  );
  assert.equal(counts.excluded.size, 0);
});

test('a malformed record is refused before any rule is looked at', async (t) => {
  const { origin, setExclusions, addWebsite } = await open(t);
  const { id, apiKey } = await addWebsite('b.test', null);
  await setExclusions(id, [{ kind: 'own-host', value: 'b.test' }]);
  const answer = await sendRaw(
    origin,
    requestText('POST', '/api/page-view', { Authorization: apiKey }, '{}'),
  );
  assert.equal(answer!.status, 400);
});
