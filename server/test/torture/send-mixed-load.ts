import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { event, pageView } from '../support/records.ts';
import { countPaths } from './count-paths.ts';
import type { Random } from './create-random.ts';
import type { Keyed, Round } from './open-round.ts';
import type { Node, Scene } from './scene.ts';

/** Longer than anything that a node waits for. */
const answerWithinMs = 30_000;
const awayMs = 40;

type Sent = { node: Node; path: string; apiKey: string; key?: string; attempt?: number | undefined };
type Answer = { status: number; text: string; retryAfter: string | null } | undefined;

/** Sends page views, events with keys, repeats, records of a limited website and questions until it is stopped. */
export async function sendMixedLoad(options: {
  scene: Scene;
  round: Round;
  random: Random;
  pauseMs: number;
  signal: AbortSignal;
}): Promise<void> {
  const { scene, round, random, pauseMs, signal } = options;
  const { nodes } = scene;
  while (!signal.aborted) {
    const node = random.pick(nodes);
    const chosen = random.next();
    if (chosen < 0.35) {
      if ((await sendRecord(round, node, 'free')) === 200 && scene.ack === 'store')
        await expectStored(scene, round);
    } else if (chosen < 0.6) await sendKeyed(round, nodes, random, signal);
    else if (chosen < 0.75 && round.keyed.length > 0) await repeat(round, node, random.pick(round.keyed));
    else if (chosen < 0.95) await sendRecord(round, node, 'limited');
    else await ask(round, node);
    await delay(pauseMs);
  }
}

/** Sends a page view that has no key, so it can be sent only once. */
export async function sendRecord(round: Round, node: Node, website: 'free' | 'limited'): Promise<number> {
  const path = `/${website}/${round.sent[website].size}`;
  round.sent[website].add(path);
  const answer = await post({ node, path, apiKey: round[website].apiKey });
  if (answer?.status === 200) accept(round, website, path);
  if (answer?.status === 503) round.refused[website].add(path);
  await judge(round, answer, website === 'limited' ? [200, 429] : [200]);
  return answer?.status ?? 0;
}

/**
 * Sends an event until it is accepted, each time to any node. The SDK says which attempt it is, and programs of
 * others don't.
 */
async function sendKeyed(
  round: Round,
  nodes: readonly Node[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const keyed: Keyed = { key: randomUUID(), path: `/free/${round.sent.free.size}` };
  round.sent.free.add(keyed.path);
  const isNumbered = random.next() < 0.5;
  for (let number = 1; !signal.aborted; number += 1) {
    const attempt = isNumbered ? number : undefined;
    const answer = await post({ ...keyed, attempt, node: random.pick(nodes), apiKey: round.free.apiKey });
    await judge(round, answer, [200]);
    if (answer?.status !== 200) continue;
    accept(round, 'free', keyed.path);
    round.keyed.push(keyed);
    return;
  }
}

async function repeat(round: Round, node: Node, keyed: Keyed): Promise<void> {
  const answer = await post({ ...keyed, node, apiKey: round.free.apiKey });
  if (answer?.status === 200) round.counts.repeats += 1;
  await judge(round, answer, [200]);
}

/** Looks for all records that were answered with 200. While the store is away, nobody can tell. */
async function expectStored(scene: Scene, round: Round): Promise<void> {
  const accepted = [...round.accepted.free];
  const found = await countPaths(scene, round.free.id).catch(() => undefined);
  if (found === undefined) return;
  const missing = accepted.filter((path) => !found.has(path));
  if (missing.length > 0) round.wrong.push(`200 for ${missing.join(', ')} before the store had it`);
}

async function ask(round: Round, node: Node): Promise<void> {
  const answer = await askPageViews(round, node);
  if (answer.status === 200) {
    round.counts.questions += 1;
    if (answer.views + answer.events > round.sent.free.size && !round.mayBeTwice)
      round.wrong.push(`${node.name} counts ${answer.views + answer.events} of ${round.sent.free.size} sent`);
  }
  await judge(round, answer.status === 0 ? undefined : answer, [200]);
}

export async function askPageViews(round: Round, node: Node) {
  const answer = await fetchText(`${node.origin}/api/stats/query`, {
    headers: { Authorization: `Bearer ${round.token}` },
    body: JSON.stringify({ metrics: ['pageViews', 'events'], period: '7d' }),
  });
  if (answer?.status !== 200)
    return { status: 0, text: '', retryAfter: null, ...answer, views: 0, events: 0 };
  const { pageViews, events } = JSON.parse(answer.text).rows[0].metrics;
  return { ...answer, views: Number(pageViews), events: Number(events) };
}

function accept(round: Round, website: 'free' | 'limited', path: string): void {
  round.accepted[website].add(path);
  round.counts.accepted += 1;
}

/** Counts an answer, and notes one that is not allowed. Without an answer, or with 503, the client waits. */
async function judge(round: Round, answer: Answer, allowed: readonly number[]): Promise<void> {
  const { counts, wrong } = round;
  if (answer === undefined) counts.unanswered += 1;
  else if (answer.status === 503) {
    counts.later += 1;
    if (!/^[1-9]\d*$/.test(answer.retryAfter ?? ''))
      wrong.push(`503 with Retry-After ${answer.retryAfter}: ${answer.text.slice(0, 300)}`);
  } else if (!allowed.includes(answer.status)) wrong.push(`${answer.status} ${answer.text.slice(0, 300)}`);
  if (answer?.status === 429) counts.usedUp += 1;
  if (answer === undefined || answer.status === 503) await delay(awayMs);
}

function post({ node, path, apiKey, key, attempt }: Sent): Promise<Answer> {
  const changes = { Page: { Absolute: `https://example.com${path}` } };
  const isEvent = key !== undefined;
  return fetchText(`${node.origin}/api/${isEvent ? 'event' : 'page'}-view`, {
    headers: {
      Authorization: apiKey,
      ...(isEvent && { 'Idempotency-Key': key }),
      ...(attempt !== undefined && { 'Trackside-Attempt': String(attempt) }),
    },
    body: JSON.stringify(
      isEvent ? event('Buy', [{ Name: 'plan', Value: 'pro' }], changes) : pageView(changes),
    ),
  });
}

async function fetchText(
  url: string,
  request: { headers: Record<string, string>; body: string },
): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const response = await fetch(url, { method: 'POST', ...request, signal });
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, text: await response.text(), retryAfter };
  } catch {
    return undefined;
  }
}
