import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createFakeClock, type FakeClock, openTestControl } from '../../control/test-control.ts';
import { openTestNode } from '../test-intake.ts';

const of = (contingent: number) => ({ id: 1, contingent });

/** Several nodes, each with its own journal and connection, on one database. */
async function openNodes(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t, { clock, hasOwnThread: true });
  const start = async (name: string) => {
    const { control: own } = await openTestControl(t, { folder, clock, hasOwnThread: true });
    const options = { folder: join(folder, name), name, control: own, clock, isShared: true };
    const node = await openTestNode(options);
    t.after(() => node.journal.close());
    return { ...node, control: own };
  };
  return { clock, control, start };
}

type Node = Awaited<ReturnType<Awaited<ReturnType<typeof openNodes>>['start']>>;

/** Sends records to all nodes in turn, many at once, and returns how many were accepted. */
async function send(nodes: readonly Node[], records: number, contingent: number): Promise<number> {
  const sent = Array.from({ length: records }, (_, at) => nodes[at % nodes.length]!.accept(of(contingent)));
  return (await Promise.all(sent)).filter((isAccepted) => isAccepted).length;
}

test('two nodes accept exactly the contingent, whichever is asked', async (t) => {
  const { start } = await openNodes(t);
  const nodes = [await start('n1'), await start('n2')];
  let accepted = 0;
  // In parts, because each part finds other leases than the one before.
  for (let at = 0; at < 10; at++) accepted += await send(nodes, 150, 500);
  assert.equal(accepted, 500);
  assert.equal(await send(nodes, 20, 500), 0);
});

test('a killed node leaves its share untouched, and has it again when it is back', async (t) => {
  const { clock, start } = await openNodes(t);
  const [one, other] = [await start('n1'), await start('n2')];
  // Far from the limit it gets more than it needs.
  assert.equal(await send([one], 1, 800), 1);
  await one.crash();
  const byOther = await send([other], 1_000, 800);
  assert.equal(byOther, 700, 'the other 100 belong to the node that was killed');
  clock.pass(2_000);
  assert.equal(await send([other], 10, 800), 0);
  const back = await start('n1');
  assert.equal(await send([back], 200, 800), 99);
  assert.equal(await send([other, back], 20, 800), 0);
});

test('gives back what is not needed for a while, and another node gets it', async (t) => {
  const { clock, start } = await openNodes(t);
  const [one, other] = [await start('n1'), await start('n2')];
  assert.equal(await send([one], 1, 800), 1);
  assert.equal(await send([other], 1_000, 800), 700);
  await one.contingent.giveBack(500);
  clock.pass(1_000);
  assert.equal(await send([other], 10, 800), 0, 'it was in use a moment ago');
  await one.contingent.giveBack(500);
  clock.pass(1_000);
  assert.equal(await send([other], 200, 800), 99);
  assert.equal(await send([one, other], 20, 800), 0);
});

/** Lets the next call of a statement fail, before or after it is carried out. */
function failOnce(node: Node, statement: 'lease' | 'giveBack', isCarriedOut: boolean): void {
  const usage = node.control.usage as Record<string, (...all: unknown[]) => Promise<unknown>>;
  const real = usage[statement]!;
  usage[statement] = async (...all) => {
    usage[statement] = real;
    if (isCarriedOut) await real(...all);
    throw new Error('the connection is lost');
  };
}

test('gives back a share again if that failed once', async (t) => {
  const { clock, start } = await openNodes(t);
  const [one, other] = [await start('n1'), await start('n2')];
  assert.equal(await send([one], 1, 800), 1);
  clock.pass(1_000);
  failOnce(one, 'giveBack', false);
  await assert.rejects(one.contingent.giveBack(500), /connection is lost/);
  await one.contingent.giveBack(500);
  assert.equal(await sendAll(clock, [other], 800, 1_000), 799);
});

test('gives back a share whose grant was not answered', async (t) => {
  const { clock, start } = await openNodes(t);
  const [one, other] = [await start('n1'), await start('n2')];
  failOnce(one, 'lease', true);
  await assert.rejects(one.accept(of(800)), /control is away/);
  await one.contingent.giveBack(500);
  assert.equal(await sendAll(clock, [other], 800, 1_000), 800);
});

test('without the database, a node accepts what it has leased and nothing more', async (t) => {
  const { clock, start } = await openNodes(t);
  const [one, other] = [await start('n1'), await start('n2')];
  assert.equal(await send([one], 1, 800), 1);
  await one.control.close();
  await assert.rejects(one.contingent.giveBack(0));
  assert.equal(await send([one], 99, 800), 99);
  await assert.rejects(one.accept(of(800)), /control is away/);
  assert.equal(await one.accept({ id: 2, contingent: null }), true, 'there is no limit to exceed');
  clock.pass(1_000);
  assert.equal(await send([other], 1_000, 800), 700);
});

test('a higher contingent can be used at once, and a lower one holds for later records', async (t) => {
  const { start } = await openNodes(t);
  const nodes = [await start('n1'), await start('n2')];
  assert.equal(await send(nodes, 20, 10), 10);
  assert.equal(await send(nodes, 20, 15), 5);
  assert.equal(await send(nodes, 20, 8), 0);
});

/** Sends records until all nodes know what is left, and returns how many were accepted. */
async function sendAll(
  clock: FakeClock,
  nodes: readonly Node[],
  contingent: number,
  records = 120,
): Promise<number> {
  let accepted = 0;
  for (let round = 0; round < 4; round += 1) {
    accepted += await send(nodes, records, contingent);
    clock.pass(1_000);
  }
  return accepted;
}

test('shares of a higher contingent do not add up to more than a lower one', async (t) => {
  const { clock, start } = await openNodes(t);
  const nodes = [await start('n1'), await start('n2'), await start('n3')];
  assert.equal(await send(nodes, 30, 100_000), 30);
  assert.equal(await sendAll(clock, nodes, 40), 10);
  assert.equal(await sendAll(clock, nodes, 50), 10, 'a higher one can be used again');
});

test('a node that was down while the contingent was lowered asks before it accepts more', async (t) => {
  const { clock, start } = await openNodes(t);
  const [one, other] = [await start('n1'), await start('n2')];
  assert.equal(await send([one, other], 30, 100_000), 30);
  await one.crash();
  assert.equal(await sendAll(clock, [other], 40), 0, 'the node that was killed may have used its share');
  const back = await start('n1');
  assert.equal(await sendAll(clock, [back, other], 40), 10);
});

for (const between of [100, null])
  test(`a share is not used after others had a contingent of ${between ?? 'any size'}`, async (t) => {
    const { clock, start } = await openNodes(t);
    const [one, other] = [await start('n1'), await start('n2')];
    assert.equal(await send([one], 1, 40), 1);
    for (let record = 0; record < 70; record += 1)
      assert.ok(await other.accept({ id: 1, contingent: between }));
    assert.ok(await one.accept({ id: 1, contingent: between }));
    for (const node of [one, other]) await node.contingent.checkpoint();
    assert.equal(await sendAll(clock, [one, other], 60), 0);
  });

test('without the database, a node accepts nothing more under a lower contingent', async (t) => {
  const { clock, start } = await openNodes(t);
  const [one, other] = [await start('n1'), await start('n2')];
  for (const node of [one, other]) assert.equal(await send([node], 1, 800), 1);
  await one.control.close();
  for (const contingent of [700, 700, 800])
    await assert.rejects(one.accept(of(contingent)), /control is away/);
  clock.pass(1_000);
  assert.equal(await sendAll(clock, [other], 150), 49, 'the database still has 100 for the first node');
});

test('a share that was granted without an answer is not used under a lower contingent', async (t) => {
  const { clock, start } = await openNodes(t);
  const [one, other] = [await start('n1'), await start('n2')];
  const ask = { node: 'n1', websiteId: 1, month: '2026-03', held: 0, needed: 1, limit: 100_000 };
  await one.control.usage.lease(ask);
  assert.equal(await send([other], 30, 100_000), 30);
  assert.equal(await sendAll(clock, [one, other], 40), 10);
});

test('counts records from before there was a contingent', async (t) => {
  const { start } = await openNodes(t);
  const nodes = [await start('n1'), await start('n2')];
  for (const node of nodes) for (let at = 0; at < 20; at++) await node.accept({ id: 1, contingent: null });
  for (const node of nodes) await node.contingent.checkpoint();
  assert.equal(await send(nodes, 20, 45), 5);
});

test('reports what all nodes have used, and what is left', async (t) => {
  const { clock, start } = await openNodes(t);
  const [one, other] = [await start('n1'), await start('n2')];
  await send([one], 3, 10);
  await send([other], 4, 10);
  for (const node of [one, other]) await node.contingent.giveBack(0);
  for (const node of [one, other, one]) await node.contingent.checkpoint();
  assert.equal(one.contingent.usage(1, clock.now()).used, 7);
  assert.equal(one.contingent.allowance(of(10), clock.now())?.remaining, 3);
});

test('reads only the usage of this month with a checkpoint', async (t) => {
  const { clock, start } = await openNodes(t);
  const [one, other] = [await start('n1'), await start('n2')];
  await send([other], 4, 10);
  await other.contingent.checkpoint();
  one.control.usage.read = () => assert.fail('it reads the usage of all months');
  await one.contingent.checkpoint();
  assert.equal(one.contingent.usage(1, clock.now()).used, 4);
  clock.pass(31 * 24 * 60 * 60_000);
  await one.contingent.checkpoint();
  assert.equal(one.contingent.usage(1, clock.now()).used, 0);
  await send([other], 2, 10);
  await other.contingent.checkpoint();
  await one.contingent.checkpoint();
  assert.equal(one.contingent.usage(1, clock.now()).used, 2);
});
