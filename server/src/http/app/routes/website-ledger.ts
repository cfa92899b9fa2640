import { type LedgerAnswer, ledgerShape } from '@trackside/contract/app/ledger.ts';
import type { Website } from '../../../control/websites/website-row.ts';
import { type LedgerDays, readLedgerDays } from '../../../intake/tally/read-ledger.ts';
import type { Clock } from '../../../time/clock.ts';
import { AppFault } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';

type Parts = {
  ledger: (website: Website, days: LedgerDays) => Promise<LedgerAnswer>;
  clock: Pick<Clock, 'now'>;
};

const day = (description: string) => ({ description, schema: { type: 'string', format: 'date' } });

/** Returns the route of what became of everything that was sent to a website. */
export function websiteLedgerRoutes({ ledger, clock }: Parts) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/ledger',
      access: 'admin',
      summary: 'Get what became of everything that was sent to a website',
      query: {
        from: day('The first day. Without it, 30 days up to the last one.'),
        to: day('The last day. Without it, today.'),
      },
      answers: {
        code: 200,
        schema: ledgerShape,
        description: 'Counts can be a second old, those of other nodes 5 seconds.',
      },
      async handle({ website, query }) {
        const days = readLedgerDays(query, website.timezone, clock.now());
        if ('fault' in days) throw new AppFault('invalid', days.fault);
        return { body: await ledger(website, days) };
      },
    }),
  ];
}
