import { activityShape, deletionShape, recentRequestsShape } from '@trackside/contract/app/answers.ts';
import type { Website } from '../../../control/websites/website-row.ts';
import type { Removals } from '../../../removal/start-removals.ts';
import type { WatchedRequests } from '../../tracking/recent-requests.ts';
import { AppFault, notFound } from '../app-fault.ts';
import { appRoute, tooLargeToAnswer } from '../app-route.ts';
import { readId } from '../read-id.ts';
import { toRequestAnswer, toUnknownSenderAnswer } from '../to-answers.ts';

type Parts = {
  recent: (websiteId: number) => Promise<WatchedRequests>;
  activity: (website: Website) => Promise<{ visitors: number; visitorsBefore: number; byHour: number[] }>;
  data: Pick<Removals, 'deletion'>;
};

/** Returns the routes of a website's current activity. */
export function websiteWatchRoutes({ recent, activity, data }: Parts) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/activity',
      access: 'user',
      summary: 'Get the visitors of the last 24 hours',
      answers: { code: 200, schema: activityShape, description: 'Without bots.' },
      faults: { 422: tooLargeToAnswer },
      handle: async ({ website }) => ({ body: await activity(website) }),
    }),
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/requests',
      access: 'admin',
      isForOperators: true,
      summary: 'List recent requests to the tracking endpoints',
      query: {
        after: {
          description: 'Return only requests answered after this time.',
          schema: { type: 'string', format: 'date-time' },
        },
      },
      answers: {
        code: 200,
        schema: recentRequestsShape,
        description: 'At most 100 requests, newest first. Only this node has them, in memory.',
      },
      async handle({ website, query }) {
        const { requests, skipped, excluded, unauthorized: unknown } = await recent(website.id);
        const afterMs = query.after === undefined ? Number.NEGATIVE_INFINITY : readTime(query.after);
        const newer = requests.filter(({ atMs }) => atMs > afterMs);
        const unauthorized = unknown === undefined ? null : toUnknownSenderAnswer(unknown);
        return { body: { requests: newer.map(toRequestAnswer), skipped, excluded, unauthorized } };
      },
    }),
    // Not below /websites/:id, where a deleted website is not found.
    appRoute({
      method: 'GET',
      path: '/api/deletions/:websiteId',
      access: 'admin',
      summary: 'Get the progress of the deletion of a website',
      answers: {
        code: 200,
        schema: deletionShape,
        description: 'The progress, available until the node restarts.',
      },
      async handle({ params }) {
        const id = readId(params.websiteId);
        const deletion = id && data.deletion(id);
        if (!deletion) throw notFound();
        return { body: deletion };
      },
    }),
  ];
}

/** Date.parse alone takes nearly any text for a time. */
function readTime(text: string): number {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new AppFault('invalid', 'after: expected a time such as 2026-11-16T07:00:00.000Z');
}
