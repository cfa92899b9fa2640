import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../server/test/torture/create-random.ts';
import { noteFault, type Seen } from './looker.ts';
import { screenQuestions, type View, views } from './screen-questions.ts';

type Dashboard = {
  origin: string;
  websiteIds: readonly number[];
  cookie: string;
  random: Random;
  seen: Seen;
  signal: AbortSignal;
};

/** The analytics page asks again this often. */
const refreshMs = 30_000;
const shortestStayMs = 40_000;
const longestStayMs = 150_000;

/** Looks at one website after the other, as a browser does: the frame, a screen, the live view, refreshes. */
export async function openDashboard(dashboard: Dashboard): Promise<void> {
  const { random, websiteIds, signal } = dashboard;
  while (!signal.aborted) {
    const [id, view] = [random.pick(websiteIds), random.pick(views)];
    const stayMs = random.whole(shortestStayMs, longestStayMs);
    await visit(dashboard, { id, view, stayMs }).catch((error: unknown) => {
      if (!signal.aborted) noteFault(dashboard.seen, 'a dashboard', String(error));
    });
  }
}

async function visit(
  dashboard: Dashboard,
  { id, view, stayMs }: { id: number; view: View; stayMs: number },
): Promise<void> {
  const { seen, signal } = dashboard;
  const leaving = new AbortController();
  const leave = AbortSignal.any([signal, leaving.signal]);
  seen.counts.opened += 1;
  for (const path of ['/api/session', '/api/websites', `/api/websites/${id}`, `/api/websites/${id}/notes`]) {
    const response = await send(dashboard, 'GET', path, { signal });
    if (response.status !== 200) noteFault(seen, path, await response.text());
    else await response.text();
  }
  const watching = watchLive(dashboard, id, leave);
  try {
    const untilMs = performance.now() + stayMs;
    while (performance.now() < untilMs) {
      await askScreen(dashboard, id, view);
      await delay(refreshMs, undefined, { signal });
    }
  } finally {
    leaving.abort();
    await watching;
  }
}

/** Asks for a screen by one request, and notes how long it took until its last answer. */
async function askScreen(dashboard: Dashboard, id: number, view: View): Promise<void> {
  const { seen, signal } = dashboard;
  const startedMs = performance.now();
  const response = await send(dashboard, 'POST', '/api/stats/batch', {
    signal,
    headers: { 'Trackside-Website': String(id), Accept: 'application/x-ndjson' },
    body: { questions: screenQuestions(view) },
  });
  const lines = (await response.text()).split('\n').filter(Boolean);
  seen.screens.push({ atMs: performance.now(), tookMs: performance.now() - startedMs });
  for (const line of lines)
    if (!/"code":200\b/.test(line)) noteFault(seen, `a screen of ${view.period}`, line);
  if (response.status === 200 && lines.length !== screenQuestions(view).length)
    noteFault(seen, 'a screen', `${lines.length} answers`);
}

/** Reads the stream of the live view until the page is left. */
async function watchLive(dashboard: Dashboard, id: number, signal: AbortSignal): Promise<void> {
  const { seen } = dashboard;
  try {
    const response = await send(dashboard, 'GET', `/api/websites/${id}/live`, { signal });
    const decoder = new TextDecoder();
    for await (const chunk of response.body!)
      seen.counts.scenes += decoder.decode(chunk, { stream: true }).split('event: scene').length - 1;
    if (!signal.aborted) noteFault(seen, 'the live view', 'the stream ended');
  } catch (error) {
    if (!signal.aborted) noteFault(seen, 'the live view', String(error));
  }
}

function send(
  { origin, cookie }: Pick<Dashboard, 'origin' | 'cookie'>,
  method: string,
  path: string,
  options: { signal: AbortSignal; headers?: Record<string, string>; body?: object },
): Promise<Response> {
  const { signal, headers, body } = options;
  return fetch(`${origin}${path}`, {
    method,
    signal,
    headers: {
      Origin: origin,
      Cookie: cookie,
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}
