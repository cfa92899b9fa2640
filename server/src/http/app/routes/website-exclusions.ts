import { excludedShape } from '@trackside/contract/app/answers.ts';
import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import type { Website } from '../../../control/websites/website-row.ts';
import type { ExcludedRecords } from '../../../stats/reports/ask-excluded.ts';
import { appRoute, tooLargeToAnswer } from '../app-route.ts';
import { exclusionsBody } from '../forms.ts';

type Parts = { excluded: (website: Website, rules: readonly Exclusion[]) => Promise<ExcludedRecords> };

/** Returns the routes of the rules for records that aren't counted. Saving them is a change of settings. */
export function websiteExclusionRoutes({ excluded }: Parts) {
  return [
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/exclusions/preview',
      access: 'admin',
      summary: 'Count what rules would have excluded in the last 24 hours',
      body: exclusionsBody,
      answers: {
        code: 200,
        schema: excludedShape,
        description: 'From the stored records. Nothing is changed.',
      },
      faults: { 422: tooLargeToAnswer },
      async handle({ website, body: { exclusions } }) {
        const { records, excluded: all, byRule } = await excluded(website, exclusions);
        const rules = exclusions.map((rule, index) => ({ ...rule, records: byRule[index]! }));
        return { body: { records, excluded: all, rules } };
      },
    }),
  ];
}
