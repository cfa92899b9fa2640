import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type FilledFolder, fillFolder } from './damage/filled-folder.ts';
import { openScene, type Scene } from './damage/scene.ts';
import { type Trouble, troubles } from './damage/troubles.ts';
import { isLongForm } from './support/long-form.ts';
import { waitFor } from './support/wait-for.ts';

/** The troubles spend most of their time waiting, so several run at once. */
const atOnce = 4;

test('no trouble loses a record, and /health, doctor and verify report what is wrong', async (t) => {
  const filled = await fillFolder();
  await t.test('troubles', { concurrency: atOnce }, async (t) => {
    const chosen = troubles
      .map((some) => some.filter((trouble) => isLongForm || !trouble.isLong))
      .filter((some) => some.length > 0);
    await Promise.all(chosen.map((some) => t.test('on one folder', (t) => tryAll(t, filled, some))));
  });
});

async function tryAll(t: TestContext, filled: FilledFolder, some: Trouble[]): Promise<void> {
  const scene = await openScene(t, filled);
  for (const trouble of some) await t.test(trouble.name, () => tryTrouble(scene, trouble));
}

async function tryTrouble(scene: Scene, trouble: Trouble): Promise<void> {
  const { missing = 0, tells } = (await trouble.run(scene)) ?? {};
  await scene.stopSending();
  await waitFor(`${missing} records to be missing and none doubled`, async () => {
    const found = await scene.count();
    return found?.missing === missing && found.doubled === 0;
  }).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(await scene.count())}\n${scene.allSaid()}`);
  });
  await scene.untilHealthSays(tells ?? /^$/);
  for (const [who, text] of Object.entries(await scene.look())) {
    if (tells === undefined) assert.equal(text, '', `expected ${who} to be content`);
    else assert.match(text, tells, `expected ${who} to tell it`);
  }
  // None of these troubles is in the store, so repairing it must not be suggested.
  assert.doesNotMatch(scene.allSaid(), /trackside repair/);
}
