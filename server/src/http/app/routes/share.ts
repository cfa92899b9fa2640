import { shareShape } from '@trackside/contract/app/answers.ts';
import { notFound } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import type { Demos } from '../demos.ts';
import type { SharedWebsites } from '../shared-websites.ts';
import { toShareAnswer } from '../to-answers.ts';

/**
 * Returns the route of a public link's website. Its numbers come from /api/stats/…, with the header
 * Trackside-Share.
 */
export function shareRoutes({ shares, demos }: { shares: SharedWebsites; demos: Pick<Demos, 'stateOf'> }) {
  /** The page is shown without the store too, which then has no numbers to be mistaken for real ones. */
  const countDemo = (websiteId: number) =>
    demos.stateOf(websiteId).then(
      ({ records }) => records,
      () => 0,
    );
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
        return { body: toShareAnswer(website, await countDemo(website.id)) };
      },
    }),
  ];
}
