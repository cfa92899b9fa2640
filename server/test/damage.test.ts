import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { cases, type DamageCase, toldAfterKill } from './damage/cases.ts';
import { copyFolder, type FilledFolder, fillFolder, pathOf, sendRecord } from './damage/filled-folder.ts';
import { complaintsOfHealth, forgetAll, lookAt, readPaths } from './damage/looks.ts';
import { isLongForm } from './support/long-form.ts';
import { createServerHere } from './support/serve-here.ts';
import { createServerProcess } from './support/spawn-server.ts';
import { waitFor } from './support/wait-for.ts';

/** The cases spend most of their time waiting, so several run at once. */
const atOnce = 3;
/** The numbers of the records that are sent after the damage. */
const later = [9001, 9002, 9003];

test('/health, doctor and verify report the actual damage', async (t) => {
  const filled = await fillFolder();
  await t.test('damage', { concurrency: atOnce }, async (t) => {
    await Promise.all(cases.map((damage) => t.test(damage.name, (t) => tryCase(t, filled, damage))));
  });
});

async function tryCase(t: TestContext, filled: FilledFolder, damage: DamageCase): Promise<void> {
  const dataDir = await copyFolder(t, filled.dataDir);
  const isKilled = damage.tells !== undefined && (isLongForm || damage.name.includes(toldAfterKill));
  const server = isKilled ? createServerProcess({ dataDir }) : createServerHere({ dataDir });
  t.after(() => server.end('SIGKILL'));
  await damage.put?.(dataDir);
  await server.start();

  const acknowledged = filled.acknowledged.map(pathOf);
  // Without its websites, a server can't know which website a record belongs to. That is not the client's
  // fault.
  const status = damage.missing === undefined ? 503 : 200;
  for (const record of later) {
    assert.equal(await sendRecord(server.origin(), filled.apiKey, record), status);
    if (status === 200) acknowledged.push(pathOf(record));
  }

  /** Counts the records independently of the product's own counting. */
  const count = async () => {
    const paths = await readPaths(dataDir, filled.websiteId);
    if (paths === undefined) return undefined;
    const missing = acknowledged.filter((path) => !paths.has(path)).length;
    const doubled = [...paths.values()].filter((rows) => rows > 1).length;
    return { missing, doubled };
  };
  const isAsExpected = async () => {
    if (damage.missing === undefined) return true;
    const found = await count();
    return found !== undefined && found.missing === damage.missing && found.doubled === 0;
  };
  await waitFor(`${damage.missing} records to be missing and none doubled`, isAsExpected).catch(
    async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await count())}\n${server.output.join('')}`);
    },
  );

  const isQuiet = damage.tells === undefined;
  const isTold = async () => {
    const said = await complaintsOfHealth(server.origin());
    return isQuiet ? said === '' : damage.tells!.every((told) => told.test(said));
  };
  const awaited = `/health to ${isQuiet ? 'be content' : 'tell it'}`;
  await waitFor(awaited, isTold).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${await complaintsOfHealth(server.origin())}`);
  });
  const compare = async (isContent = isQuiet) => {
    const said = await lookAt(server.origin(), dataDir);
    for (const [who, text] of Object.entries(said)) {
      if (isContent) assert.equal(text, '', `expected ${who} to be content`);
      else for (const told of damage.tells!) assert.match(text, told, `expected ${who} to tell it`);
      if (!isContent && damage.isCounted) assert.equal(sumOfLost(text), damage.missing, `${who}: ${text}`);
    }
  };
  await compare();
  if (isQuiet) return;
  if (isKilled) {
    // What was lost is still reported after the next start.
    await server.end('SIGKILL');
    await server.start();
    await waitFor('the store to be asked', isAsExpected);
    await compare();
  }
  if (damage.missing === undefined) return;
  await forgetAll(dataDir);
  await waitFor('/health to be content', async () => (await complaintsOfHealth(server.origin())) === '');
  await compare(true);
}

function sumOfLost(text: string): number {
  return [...text.matchAll(/(\d+) records? (?:is|are) lost/g)].reduce(
    (sum, [, rows]) => sum + Number(rows),
    0,
  );
}
