import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeDestroyed } from '../../control/nodes/nodes.ts';
import { openTestControl, silentLog } from '../../control/test-control.ts';
import { runSql } from '../../control/test-database.ts';
import { systemClock } from '../../time/clock.ts';
import { joinCluster } from './join-cluster.ts';

test('a running node whose folder was declared destroyed stops acknowledging', {
  timeout: 300_000,
}, async (t) => {
  const { control, folder } = await openTestControl(t);
  const broken = Promise.withResolvers<Error>();
  const cluster = joinCluster({
    name: 'a',
    control,
    websiteCache: { revision: () => 1 },
    ownership: {
      isOwner: () => false,
      fence: () => undefined,
      renew: async () => {},
      giveUp: async () => {},
    },
    loader: {
      completeUpToMs: () => 1,
      holdsFromMs: () => 1,
      batchEnded: async () => {},
      isPrepared: () => true,
    },
    clock: systemClock,
    log: silentLog(),
    onBroken: broken.resolve,
  });
  await cluster.join();
  t.after(() => cluster.stop({ isLoaded: false }));
  await runSql(folder, 'update nodes set seen_at = 0');
  assert.equal(await control.nodes.retire('a', 0), 'retired');
  await control.nodes.noteDestroyed('a');
  assert.ok((await broken.promise) instanceof NodeDestroyed);
});
