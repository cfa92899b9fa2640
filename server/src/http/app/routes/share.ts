import { shareShape } from '@trackside/contract/app/answers.ts';
import { notFound } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import type { ShareLinks } from '../share-links.ts';
import { toShareAnswer } from '../to-answers.ts';

/**
 * Returns the route of a public link's website. Its numbers come from /api/stats/…, with the header
 * Trackside-Share.
 */
export function shareRoutes({ shares }: { shares: ShareLinks }) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/share/:token',
      access: 'anyone',
      summary: 'Get the website of a public link',
      answers: { code: 200, schema: shareShape, description: 'The website that the public page shows.' },
      async handle({ params }) {
        const website = await shares.find(params.token!);
        if (website === undefined) throw notFound();
        return { body: toShareAnswer(website) };
      },
    }),
  ];
}
