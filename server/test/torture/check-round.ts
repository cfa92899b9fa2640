import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../support/wait-for.ts';
import { countPaths } from './count-paths.ts';
import type { Round } from './open-round.ts';
import type { Node, Scene } from './scene.ts';
import { askPageViews, sendRecord } from './send-mixed-load.ts';

/** Longer than a node takes that was cut off from its store, or loads everything again on a busy machine. */
const patienceMs = 600_000;
/** A node believes for a second that a contingent is used up, and gives back what it doesn't need after another. */
const usedUpForMs = 4_000;
const maxNamed = 10;

/** Returns what a round broke. Everything is running again, and nobody sends anything else. */
export async function checkRound(scene: Scene, round: Round): Promise<string[]> {
  const broken = [
    ...round.wrong.map((answer) => `an answer that nobody may get: ${answer}`),
    ...round.incomplete,
    ...(scene.endings?.() ?? []),
  ];
  const note = async (what: string, check: () => Promise<void>) =>
    await check().catch((error: Error) => broken.push(`${what}: ${error.message}`));

  for (const node of scene.nodes) await note(node.name, () => untilHealthy(node));
  await note('the contingent', () => useUp(scene, round));
  // Each journal is loaded in order, so what is before these is in the store when they are.
  for (const node of scene.nodes)
    await note(node.name, () =>
      waitFor('a record to be accepted', async () => (await sendRecord(round, node, 'free')) === 200),
    );
  for (const website of ['free', 'limited'] as const)
    await note(`the ${website} website`, () => checkRows(scene, round, website));
  for (const id of round.deleted)
    await note(`the deleted website ${id}`, async () => {
      const { size } = await countPaths(scene, id);
      if (size > 0) throw new Error(`${size} records are there again`);
    });
  await note('usage', async () => {
    const month = new Date(scene.now?.() ?? Date.now()).toISOString().slice(0, 7);
    await waitFor(
      'the nodes to have counted the contingent',
      async () => (await scene.control.usage.usedOf(round.limited.id, month)) === round.limit,
    );
  });
  for (const node of scene.nodes) {
    await note(`verify on ${node.name}`, () => verify(node));
    await note(`statistics of ${node.name}`, () => checkStatistics(scene, round, node));
  }
  return broken;
}

export async function untilHealthy(node: Node): Promise<void> {
  let said = 'no answer';
  await waitFor(
    'it to be healthy',
    async () => {
      const response = await fetch(`${node.origin}/health`).catch(() => undefined);
      said = (await response?.text().catch(() => undefined)) ?? 'no answer';
      return response?.status === 200 && JSON.parse(said).degraded.length === 0;
    },
    patienceMs,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; /health says ${said.slice(0, 600)}`);
  });
}

/** Sends until every node has refused for a while. */
async function useUp({ nodes }: Scene, round: Round): Promise<void> {
  const isUsedUp = async (node: Node) => {
    const startMs = performance.now();
    while (performance.now() - startMs < usedUpForMs) {
      if ((await sendRecord(round, node, 'limited')) !== 429) return false;
      await delay(200);
    }
    return true;
  };
  // Several at once, because an answer that waits for the store takes a while.
  const sendSome = (node: Node) =>
    Promise.all(Array.from({ length: 8 }, () => sendRecord(round, node, 'limited')));
  const sendMore = async (node: Node) => {
    while ((await sendSome(node)).includes(200));
    return await isUsedUp(node);
  };
  await waitFor(
    'the contingent to be used up on all nodes',
    async () => (await Promise.all(nodes.map(sendMore))).every(Boolean),
    patienceMs,
  );
}

async function checkRows(scene: Scene, round: Round, website: 'free' | 'limited'): Promise<void> {
  const [accepted, sent] = [round.accepted[website], round.sent[website]];
  let lost: string[] = [];
  await waitFor(
    'all accepted records to be in the store',
    async () => {
      const found = await countPaths(scene, round[website].id).catch(() => undefined);
      if (found === undefined) return false;
      lost = [...accepted].filter((path) => !found.has(path));
      return lost.length === 0;
    },
    patienceMs,
  ).catch(() => {
    throw new Error(`${lost.length} records are lost: ${lost.slice(0, maxNamed).join(', ')}`);
  });
  const found = await untilSettled(scene, round[website].id);
  round.counts.counted += [...found.values()].reduce((sum, times) => sum + times, 0);
  const twice = [...found].filter(([, times]) => times !== 1);
  if (twice.length > 0)
    throw new Error(`${twice.length} records are there twice: ${twice.slice(0, maxNamed).join(', ')}`);
  const unknown = [...found.keys()].filter((path) => !sent.has(path));
  if (unknown.length > 0) throw new Error(`nobody sent ${unknown.slice(0, maxNamed).join(', ')}`);
  const cameBack = [...round.refused[website]].filter((path) => found.has(path));
  if (scene.isRefusalFinal === true && cameBack.length > 0)
    throw new Error(
      `${cameBack.length} records that were refused are there: ${cameBack.slice(0, maxNamed).join(', ')}`,
    );
  if (website === 'limited' && found.size !== round.limit)
    throw new Error(`expected exactly ${round.limit} records, got ${found.size}`);
}

/** Returns how often each record is in the store, once that may no longer change. */
async function untilSettled(scene: Scene, id: number): Promise<Map<string, number>> {
  let found = await countPaths(scene, id);
  if (scene.settleMs === undefined) return found;
  const isSettled = async () => {
    found = await countPaths(scene, id).catch(() => found);
    return [...found.values()].every((times) => times === 1);
  };
  // What is still there twice is reported by the caller.
  await waitFor('every record to be there once', isSettled, scene.settleMs).catch(() => {});
  return found;
}

async function verify(node: Node): Promise<void> {
  const { code, stdout, stderr } = await node.run('verify', '--json');
  if (code !== 0) throw new Error(`${stderr}${stdout}`.slice(0, 1_000));
}

async function checkStatistics(scene: Scene, round: Round, node: Node): Promise<void> {
  const { size } = await countPaths(scene, round.free.id);
  let said = '';
  await waitFor(
    'the statistics to be what is in the store',
    async () => {
      const { status, views, events } = await askPageViews(round, node);
      said = `${status}: ${views} views and ${events} events of ${size} records`;
      return views + events === size;
    },
    patienceMs,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; it says ${said}`);
  });
}
