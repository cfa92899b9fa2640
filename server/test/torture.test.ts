import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isLongForm, times } from './support/long-form.ts';
import { modes } from './torture/modes.ts';
import { openClusterScene } from './torture/open-cluster-scene.ts';
import { openFullScene } from './torture/open-full-scene.ts';
import { canOpenHosts, openHosts } from './torture/open-hosts.ts';
import { openSingleScene } from './torture/open-single-scene.ts';
import { whyNoSmallDisk } from './torture/open-small-disk.ts';
import { planRound } from './torture/plan-round.ts';
import { runTorture } from './torture/run-torture.ts';
import type { Scene } from './torture/scene.ts';
import { describeOptions, readTortureOptions, type TortureOptions } from './torture/torture-options.ts';

const timeout = times(1_800_000, 3_600_000);

async function torture(
  t: TestContext,
  open: (folder: string) => Promise<Scene>,
  seed: number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-torture-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const scene = await open(folder);
  t.after(() => scene.end());
  t.diagnostic(`seed ${seed}`);
  const report = await runTorture({
    scene,
    seed,
    kills: times(2, 100),
    forMs: times(240_000, 1_800_000),
    limit: times(100, 400),
    clients: times(4, 8),
    pauseMs: times(30, 10),
    say: isLongForm ? (line) => t.diagnostic(line) : () => {},
  });
  assert.deepEqual(report.failures, []);
  assert.ok(report.counts.accepted! > 0);
}

test('a server alone keeps every promise', { timeout }, (t) =>
  torture(t, (folder) => openSingleScene(folder, { workers: 1, seed: 1, firstKills: times(1, 3) }), 1),
);

if (isLongForm) {
  test('two nodes keep every promise while they, PostgreSQL and the engine are killed', { timeout }, (t) =>
    torture(t, (folder) => openClusterScene(folder), 3),
  );

  test('a server with workers keeps every promise', { timeout }, (t) =>
    torture(t, (folder) => openSingleScene(folder, { workers: 3, seed: 1 }), 1),
  );

  // The first kill of this seed comes before the first checkpoint of a node.
  test('a node that is killed right after its first start keeps every promise', { timeout }, (t) =>
    torture(t, (folder) => openClusterScene(folder), 1),
  );

  test('a server with workers that answers after the store keeps every promise', { timeout }, (t) =>
    torture(t, (folder) => openSingleScene(folder, { workers: 3, seed: 1, ack: 'store' }), 1),
  );

  test('a server whose file system becomes full keeps every promise', { timeout }, async (t) => {
    assert.equal(whyNoSmallDisk(), undefined);
    await torture(t, (folder) => openFullScene(folder, { seed: 1 }), 1);
  });

  for (const ack of ['disk', 'store'] as const)
    test(`three nodes that are cut off from each other keep every promise (${ack})`, {
      timeout,
    }, async (t) => {
      assert.ok(await canOpenHosts(), 'this test needs root and `ip`, to create network namespaces');
      await torture(t, async (folder) => openClusterScene(folder, { hosts: await openHosts(3), ack }), 1);
    });
}

test('a seed always plans the same round', () => {
  const victims = {
    parts: ['node', 'PostgreSQL'],
    children: ['engine'],
    links: ['node to store'],
    works: ['demo'],
    faults: ['a slow store'],
  };
  assert.deepEqual(planRound(5, 20, victims), planRound(5, 20, victims));
  assert.notDeepEqual(planRound(5, 20, victims), planRound(6, 20, victims));
});

test('a torture without options runs every mode, and wrong options are named', () => {
  const names = Object.keys(modes);
  const read = (...words: string[]) => readTortureOptions(words, names, 7);
  const { mode, kills, seed } = read() as TortureOptions;
  assert.deepEqual({ mode, kills, seed }, { mode: 'all', kills: 1000, seed: 7 });
  assert.equal(read('--help'), 'help');
  for (const name of names) assert.ok(describeOptions(modes).includes(`  ${name} `), name);
  assert.throws(() => read('--mode', 'both'), /--mode: expected one of single, .* or all, got "both"/);
  assert.throws(() => read('--kills', '1.5'), /--kills: expected a whole number, got "1.5"/);
  assert.throws(() => read('--network', 'namespaces'), /namespaces with --mode cluster/);
});
