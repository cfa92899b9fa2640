import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { event, pageView, post } from '../support/records.ts';
import type { Random } from './create-random.ts';
import type { ClockScene } from './open-clock-scene.ts';

const devices = 5;
const awayMs = 30;

type Kind = 'free' | 'limited';
/** Between these times the record was received, unless the clock was set meanwhile. */
export type Span = { fromMs: number; toMs: number };
export type ClockRound = Awaited<ReturnType<typeof openClockRound>>;

/** Adds the websites of a round: one without a limit, and one with a small contingent for every month. */
export async function openClockRound({ control }: ClockScene, name: string, timezone: string, limit: number) {
  const add = async (domain: string, contingent: number | null) => {
    const { website, apiKey } = await control.websites.add({ domain, timezone, contingent });
    return { id: website.id, apiKey };
  };
  const free = await add(`free-${name}.test`, null);
  const limited = await add(`limited-${name}.test`, limit);
  const { token } = await control.readTokens.add(free.id, 'torture');
  return {
    limit,
    timezone,
    free,
    limited,
    token,
    sent: { free: new Set<string>(), limited: new Set<string>() },
    accepted: { free: new Map<string, Span | undefined>(), limited: new Map<string, Span | undefined>() },
    keyed: [] as { key: string; path: string }[],
    counts: { accepted: 0, counted: 0, repeats: 0, usedUp: 0, later: 0, unanswered: 0 },
    wrong: [] as string[],
  };
}

/** Sends page views, keyed events, repeats and records of the limited website until it is stopped. */
export async function sendClockLoad(options: {
  scene: ClockScene;
  round: ClockRound;
  random: Random;
  signal: AbortSignal;
}): Promise<void> {
  const { scene, round, random, signal } = options;
  while (!signal.aborted) {
    const chosen = random.next();
    if (chosen < 0.4) await send(scene, round, 'free', random);
    else if (chosen < 0.7) await send(scene, round, 'limited', random);
    else await send(scene, round, 'free', random, { isKeyed: true, isRepeat: chosen > 0.85 });
    await delay(10);
  }
}

/** Sends a record of one of a few devices. The path says which one. */
export async function send(
  scene: ClockScene,
  round: ClockRound,
  website: Kind,
  random: Random,
  { isKeyed = false, isRepeat = false } = {},
): Promise<number> {
  const repeated = isRepeat && round.keyed.length > 0 ? random.pick(round.keyed) : undefined;
  const device = random.whole(1, devices);
  const path = repeated?.path ?? `/${device}/${website}/${round.sent[website].size}`;
  const key = repeated?.key ?? (isKeyed ? randomUUID() : undefined);
  round.sent[website].add(path);
  const changes = {
    Browser: { ...pageView().Metrics.Browser, IP: `198.51.100.${path.split('/')[1]}` },
    Page: { Absolute: `https://example.com${path}` },
  };
  const body = key === undefined ? pageView(changes) : event('Buy', [], changes);
  const [settings, fromMs] = [scene.settings(), scene.now()];
  const answer = await post(
    scene.node.origin,
    key === undefined ? '/api/page-view' : '/api/event-view',
    round[website].apiKey,
    body,
    key === undefined ? {} : { 'Idempotency-Key': key },
  ).catch(() => undefined);
  const isSet = scene.settings() === settings && !scene.isBeingSet();
  const span = isSet ? { fromMs, toMs: scene.now() } : undefined;
  note(round, website, path, answer, span, repeated !== undefined);
  if (key !== undefined && repeated === undefined && answer?.status === 200) round.keyed.push({ key, path });
  if (answer === undefined || answer.status === 503) await delay(awayMs);
  return answer?.status ?? 0;
}

function note(
  { counts, accepted, wrong }: ClockRound,
  website: Kind,
  path: string,
  answer: { status: number; body: { Message: string } } | undefined,
  span: Span | undefined,
  isRepeat: boolean,
): void {
  if (answer === undefined) counts.unanswered += 1;
  else if (answer.status === 200 && isRepeat) counts.repeats += 1;
  else if (answer.status === 200) {
    counts.accepted += 1;
    accepted[website].set(path, span);
  } else if (answer.status === 429 && website === 'limited') counts.usedUp += 1;
  else if (answer.status === 503) counts.later += 1;
  else wrong.push(`an answer that nobody may get: ${answer.status} ${answer.body.Message}`);
}
