import { setTimeout as delay } from 'node:timers/promises';
import { times } from '../support/long-form.ts';
import { pageView, post } from '../support/records.ts';
import { pathOf } from './filled-folder.ts';

/** Without a status, the connection was refused or broken before an answer. */
type Answer = { sentMs: number; path: string; status: number | undefined; retryAfter: string | null };

export type Sending = ReturnType<typeof startSending>;

/** The clients of the short form leave the machine to the servers. */
const pauseMs = times(60, 25);

/** Sends records one after the other as long as there is a server to send them to, and keeps the answers. */
export function startSending(options: {
  origin: () => string | undefined;
  apiKey: string;
  nextRecord: () => number;
  atOnce: number;
}) {
  const answers: Answer[] = [];
  const underWay = new Set<Promise<void>>();
  let isStopped = false;

  const sendOne = async (origin: string): Promise<void> => {
    const path = pathOf(options.nextRecord());
    const sentMs = performance.now();
    const body = pageView({ Page: { Absolute: `https://damage.test${path}` } });
    const answer = await post(origin, '/api/page-view', options.apiKey, body).catch(() => undefined);
    const retryAfter = answer?.headers.get('retry-after') ?? null;
    answers.push({ sentMs, path, status: answer?.status, retryAfter });
  };
  const sending = (async () => {
    for (; !isStopped; await delay(pauseMs)) {
      const origin = options.origin();
      if (origin === undefined || underWay.size >= options.atOnce) continue;
      const one = sendOne(origin).finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await Promise.all(underWay);
  })();

  return {
    /** Returns the answers to everything that was sent after a moment. */
    answersSince: (sinceMs: number) => answers.filter(({ sentMs }) => sentMs > sinceMs),
    countAccepted: () => answers.filter(({ status }) => status === 200).length,
    accepted: () => answers.filter(({ status }) => status === 200).map(({ path }) => path),
    waiting: () => underWay.size,
    async stop(): Promise<void> {
      isStopped = true;
      await sending;
    },
  };
}
