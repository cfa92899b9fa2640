import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runDeletions } from '../removal/run-deletions.ts';
import { openTestRemovals } from '../removal/test-removals.ts';
import { removeWebsite } from './remove-website.ts';
import { ada, aTest, readEntries } from './test-actions.ts';

test('deletes a website with its records, with entries about its start and its end', async (t) => {
  const { parts, state, control } = await openTestRemovals(t, ['a.test']);
  state.rows.push({ websiteId: 1, visitorId: '7', occurredAtMs: 5 });
  const keeper = runDeletions({ ...parts, checkpointUsage: async () => {} });
  const wanted = { website: aTest, confirm: 'A.test' };
  const { state: begun } = await removeWebsite({ control, run: keeper.begin }, ada, wanted);
  assert.equal(begun, 'running');
  await keeper.ended();
  assert.deepEqual(state.rows, []);
  assert.deepEqual(await control.websites.list(), []);
  assert.deepEqual(
    (await readEntries(control)).map(({ actor, action, subject, detail }) => [
      actor,
      action,
      subject,
      detail,
    ]),
    [
      [ada.email, 'website.deletion-started', 'a.test', {}],
      ['server', 'website.deleted', 'a.test', { records: 1 }],
    ],
  );
});

test('a second request runs the deletion again, without another entry', async (t) => {
  const { control } = await openTestRemovals(t, ['a.test']);
  const runs: number[] = [];
  const run = async (id: number) => runs.push(id);
  const wanted = { website: aTest, confirm: 'a.test' };
  await removeWebsite({ control, run }, ada, wanted);
  await removeWebsite({ control, run }, 'command line', wanted);
  assert.deepEqual(runs, [1, 1]);
  assert.equal((await readEntries(control)).length, 1);
});

test('the domain must be typed again, in any spelling of the same domain', async (t) => {
  const { control } = await openTestRemovals(t, ['bücher.test']);
  const website = (await control.websites.find('1'))!;
  const run = async () => 'run';
  for (const confirm of ['', 'buecher.test', 'https://bücher.test', '1'])
    await assert.rejects(removeWebsite({ control, run }, ada, { website, confirm }), {
      reason: 'invalid',
      field: 'confirm',
      message: `Expected the domain of the website, ${website.domain}.`,
    });
  assert.deepEqual(await readEntries(control), []);
  assert.equal(await removeWebsite({ control, run }, ada, { website, confirm: ' Bücher.test' }), 'run');
});

test('does not run a deletion for a website that is gone', async (t) => {
  const { control } = await openTestRemovals(t, ['a.test']);
  const run = async () => assert.fail('expected no run');
  const wanted = { website: { id: 9, domain: 'a.test' }, confirm: 'a.test' };
  await assert.rejects(removeWebsite({ control, run }, ada, wanted), { reason: 'not-found' });
});
