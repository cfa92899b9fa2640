import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFakeClock, openTestControl } from '../../control/test-control.ts';
import type { Removals } from '../../removal/start-removals.ts';
import { createWebsiteParts } from './website-parts.ts';

async function settingsWith(t: TestContext, lastRetention: Removals['lastRetention']) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  const { website } = await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const { settingsOf } = createWebsiteParts({
    control,
    clock,
    data: { lastRetention } as Removals,
    contingent: { usage: () => ({ used: 0, refused: 0, resetsAtMs: clock.now() }) as never },
    keyUse: { usedAtMs: new Map() },
  });
  return await settingsOf(website);
}

test('the settings say when old records were last removed', async (t) => {
  const at = Date.parse('2026-03-10T00:00:02Z');
  const { retention } = await settingsWith(t, (id) =>
    id === 1 ? { at, keptFrom: '2026-02-08', removedRecords: 7 } : undefined,
  );
  assert.deepEqual(retention, { lastRunAt: '2026-03-10T00:00:02.000Z' });
});

test('the settings say that none were removed yet', async (t) => {
  assert.deepEqual((await settingsWith(t, () => undefined)).retention, { lastRunAt: null });
});
