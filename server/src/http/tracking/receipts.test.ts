import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { pageView } from '../../../test/support/records.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { startTestHttp } from '../test-http.ts';

const paths = { 'in the fast lane': '/api/page-view', 'by Node': '/api/page-view?a' } as const;

async function open(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const parts = await startTestHttp(t, { clock });
  const { id, apiKey } = await parts.addWebsite('a.test', null);
  const send = async (headers: Record<string, string> = {}, path: string = paths['in the fast lane']) => {
    const own = { Authorization: apiKey, ...headers };
    const answer = await sendRaw(parts.origin, requestText('POST', path, own, JSON.stringify(pageView())));
    assert.equal(answer!.status, 200);
    return answer!.headers['trackside-receipt'];
  };
  return { ...parts, clock, id, send };
}

test('every accepted record has its own receipt, however it is read', async (t) => {
  const { send } = await open(t);
  const receipts = [];
  for (const path of [...Object.values(paths), ...Object.values(paths)]) receipts.push(await send({}, path));
  for (const receipt of receipts) assert.match(receipt ?? 'none', /^[0-9a-z]{26,28}$/);
  assert.equal(new Set(receipts).size, 4, 'also in the same millisecond');
});

test('a repeat has the receipt of the first', async (t) => {
  const { send, clock } = await open(t);
  const key = { 'Idempotency-Key': 'a' };
  await send();
  const first = await send(key);
  clock.pass(60_000);
  assert.equal(await send(key), first);
  assert.equal(await send(key, paths['by Node']), first);
  assert.notEqual(await send({ 'Idempotency-Key': 'b' }), first);
});

test('nothing that is not stored has a receipt', async (t) => {
  const { send, setExclusions, id } = await open(t);
  assert.equal(await send({ 'Trackside-Dry-Run': '1' }), undefined);
  await setExclusions(id, [{ kind: 'path', value: '/*' }]);
  assert.equal(await send(), undefined);
});
