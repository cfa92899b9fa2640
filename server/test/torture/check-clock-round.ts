import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import { waitFor } from '../support/wait-for.ts';
import { untilHealthy } from './check-round.ts';
import { createRandom } from './create-random.ts';
import type { ClockScene } from './open-clock-scene.ts';
import { type ClockRound, send } from './send-clock-load.ts';

const patienceMs = 300_000;
const visitEndsAfterMs = 30 * 60_000;
/** Between setting the clock of a test and a server's look at it. */
const slackMs = 60;

type Row = { path: string; visitor: string; day: string; localAt: string; receivedMs: number };

/** Returns what a round broke. The node is running again, and nobody sends anything else. */
export async function checkClockRound(scene: ClockScene, round: ClockRound): Promise<string[]> {
  const broken = [...round.wrong];
  const note = async (what: string, check: () => void | Promise<void>) => {
    try {
      await check();
    } catch (error) {
      broken.push(`${what}: ${(error as Error).message}`);
    }
  };
  await note('health', () => untilHealthy(scene.node));
  await note('the contingents', () => useUpMonths(scene, round));
  // The journal is loaded in order, so everything is in the store when this is.
  await note('the last record', () =>
    waitFor('it to be accepted', async () => (await send(scene, round, 'free', createRandom(1))) === 200),
  );
  for (const website of ['free', 'limited'] as const) {
    await note(`${website} website`, async () =>
      checkOnce(await readRows(scene, round, website), round, website),
    );
    const rows = await readRows(scene, round, website);
    round.counts.counted += rows.length;
    await note(`times of ${website}`, () => checkTimes(rows, round, website));
    await note(`visitors of ${website}`, () => checkVisitors(rows));
  }
  await note('usage', async () => checkUsage(scene, round, await readRows(scene, round, 'limited')));
  await note('statistics', async () => checkVisits(scene, round, await readRows(scene, round, 'free')));
  await note('verify', async () => {
    const { code, stdout, stderr } = await scene.node.run('verify', '--json');
    assert.equal(code, 0, `${stderr}${stdout}`.slice(0, 600));
  });
  return broken;
}

async function readRows(
  { store }: ClockScene,
  round: ClockRound,
  website: 'free' | 'limited',
): Promise<Row[]> {
  const read = () =>
    store.query<Row>({
      query: `
        select path, toString(visitor_id) as visitor, toString(day) as day, toString(local_at) as localAt,
          toFloat64(toUnixTimestamp64Milli(received_at)) as receivedMs
        from records where website_id = {id:UInt32}`,
      params: { id: round[website].id },
    });
  let rows: Row[] = [];
  await waitFor(
    `all accepted records of ${website} to be in the store`,
    async () => {
      rows = await read().catch(() => []);
      const found = new Set(rows.map(({ path }) => path));
      return [...round.accepted[website].keys()].every((path) => found.has(path));
    },
    patienceMs,
  );
  return rows;
}

function checkOnce(rows: readonly Row[], { sent }: ClockRound, website: 'free' | 'limited'): void {
  const twice = Map.groupBy(rows, ({ path }) => path);
  assert.deepEqual(
    [...twice].filter(([, same]) => same.length > 1).map(([path]) => path),
    [],
    'twice',
  );
  assert.deepEqual(
    rows.filter(({ path }) => !sent[website].has(path)),
    [],
    'nobody sent these',
  );
}

function checkTimes(
  rows: readonly Row[],
  { accepted, timezone }: ClockRound,
  website: 'free' | 'limited',
): void {
  for (const { path, day, localAt, receivedMs } of rows) {
    // A new one each time, because it keeps the last time.
    const local = createLocalTime(timezone)(receivedMs);
    assert.deepEqual({ path, day, localAt }, { path, day: local.day, localAt: local.at });
    const span = accepted[website].get(path);
    if (span === undefined) continue;
    const isWithin = receivedMs >= span.fromMs - slackMs && receivedMs <= span.toMs + slackMs;
    assert.ok(isWithin, `${path} was received at ${receivedMs}, expected ${span.fromMs} to ${span.toMs}`);
  }
}

/** A device is one visitor on a day, however often the clock came back to it, and another one on every other day. */
function checkVisitors(rows: readonly Row[]): void {
  const perDay = Map.groupBy(rows, ({ path, day }) => `${path.split('/')[1]} ${day}`);
  const visitors = [...perDay.values()].map((same) => new Set(same.map(({ visitor }) => visitor)));
  for (const [at, ids] of visitors.entries())
    assert.equal(ids.size, 1, `device and day ${[...perDay.keys()][at]} have ${ids.size} visitors`);
  assert.equal(new Set(visitors.flatMap((ids) => [...ids])).size, visitors.length, 'visitors of all days');
}

/** Goes through all months that the round has seen, and uses up the contingent of each. */
async function useUpMonths(scene: ClockScene, round: ClockRound): Promise<void> {
  const months = new Set(
    (await readRows(scene, round, 'limited')).map(({ receivedMs }) => monthOf(receivedMs)),
  );
  const random = createRandom(1);
  for (const month of [...months].toSorted()) {
    await scene.setClock(Date.parse(`${month}-10T12:00:00Z`));
    await waitFor(
      `the contingent of ${month} to be used up`,
      async () => {
        let status = 200;
        while (status === 200) status = await send(scene, round, 'limited', random);
        return status === 429;
      },
      patienceMs,
    );
  }
}

async function checkUsage(scene: ClockScene, round: ClockRound, rows: readonly Row[]): Promise<void> {
  const perMonth = Map.groupBy(rows, ({ receivedMs }) => monthOf(receivedMs));
  for (const [month, ofMonth] of perMonth) {
    assert.equal(ofMonth.length, round.limit, `records of ${month}`);
    let used = -1;
    await waitFor(
      `the usage of ${month}`,
      async () => {
        used = await scene.control.usage.usedOf(round.limited.id, month);
        return used === ofMonth.length;
      },
      patienceMs,
    ).catch(() => assert.equal(used, ofMonth.length, `usage of ${month}`));
  }
}

/** Compares each day with its visits as they follow from the records. */
async function checkVisits(scene: ClockScene, round: ClockRound, rows: readonly Row[]): Promise<void> {
  await scene.setClock(Math.max(...rows.map(({ receivedMs }) => receivedMs)) + 60_000);
  for (const [day, ofDay] of Map.groupBy(rows, (row) => row.day)) {
    const perVisitor = [...Map.groupBy(ofDay, ({ visitor }) => visitor).values()];
    const expected = {
      visitors: perVisitor.length,
      visits: perVisitor.reduce((sum, own) => sum + countVisits(own), 0),
      records: ofDay.length,
    };
    let said: unknown;
    await waitFor(
      `the statistics of ${day}`,
      async () => {
        said = await ask(scene, round, day).catch(() => undefined);
        return isDeepStrictEqual(said, expected);
      },
      patienceMs,
    ).catch(() => assert.deepEqual(said, expected, `statistics of ${day}`));
  }
}

function countVisits(own: readonly Row[]): number {
  const times = own.map(({ receivedMs }) => receivedMs).toSorted((a, b) => a - b);
  return 1 + times.filter((ms, at) => at > 0 && ms - times[at - 1]! >= visitEndsAfterMs).length;
}

async function ask({ node }: ClockScene, { token }: ClockRound, day: string) {
  const metrics = ['visitors', 'visits', 'pageViews', 'events'];
  const response = await fetch(`${node.origin}/api/stats/query`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ metrics, period: { from: day, to: day } }),
  });
  const text = await response.text();
  if (response.status !== 200) return { status: response.status, text };
  const { visitors, visits, pageViews, events } = JSON.parse(text).rows[0].metrics;
  return { visitors, visits, records: pageViews + events };
}

const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
