import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from '../../control/test-control.ts';
import { setRetention } from './website-data.ts';

test('sets the retention, adds an audit entry, and says what it means', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const set = (days: string) => setRetention({ control, args: { website: 'a.test', days } });
  assert.match(
    (await set('1')).text,
    /^The records of a\.test are kept for 1 day after the day they were received\./,
  );
  assert.match((await set('1000')).text, /kept for 1,000 days/);
  assert.deepEqual((await set('1000')).json, { id: 1, domain: 'a.test', retentionDays: 1000 });
  assert.equal((await set('forever')).text, 'The records of a.test are kept forever.');
  await assert.rejects(set('a while'), { name: 'ControlError', reason: 'invalid' });
  const entries = await control.auditLog.list({ limit: 10 });
  assert.deepEqual(
    entries.map(({ action, detail }) => [action, detail]),
    [
      ['website.retention-changed', { retentionDays: { from: 1000, to: null } }],
      ['website.retention-changed', { retentionDays: { from: 1, to: 1000 } }],
      ['website.retention-changed', { retentionDays: { from: null, to: 1 } }],
    ],
  );
});
