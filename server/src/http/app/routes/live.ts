import { liveSceneShape } from '@trackside/contract/app/answers.ts';
import { notFound } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import type { LiveStreams } from '../live-streams.ts';
import { eventStreamType } from '../open-event-stream.ts';
import type { SharedWebsites } from '../shared-websites.ts';

const answers = {
  code: 200,
  type: eventStreamType,
  schema: liveSceneShape,
  description:
    'Server-sent events. ' +
    '`scene`: the current activity, sent immediately and whenever it changes, as the JSON described here. ' +
    '`away`: the store is not responding, with the code of the `fault` and a `message`.',
} as const;

/** Returns the routes of live events, for signed-in users and for visitors of a website's public link. */
export function liveRoutes({ live, shares }: { live: Pick<LiveStreams, 'open'>; shares: SharedWebsites }) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/live',
      access: 'user',
      summary: 'Stream live activity',
      answers,
      handle: async ({ website, user: { id: userId }, isStillAllowed }) => ({
        events: (open) => live.open({ website, userId, isStillAllowed }, open),
      }),
    }),
    appRoute({
      method: 'GET',
      path: '/api/share/:token/live',
      access: 'anyone',
      summary: 'Stream live activity through a public link',
      answers,
      async handle({ params }) {
        const find = () => shares.find(params.token!);
        const website = await find();
        if (website === undefined) throw notFound();
        const isStillAllowed = async () => (await find())?.id === website.id;
        return { events: (open) => live.open({ website, userId: undefined, isStillAllowed }, open) };
      },
    }),
  ];
}
