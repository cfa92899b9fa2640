import { auditShape } from '@trackside/contract/app/answers.ts';
import type { Control } from '../../../control/open-control.ts';
import { AppFault } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { toAuditAnswer } from '../to-answers.ts';

const pageEntries = 50;

/** Returns the routes of the audit log: who changed what, and when. */
export function auditRoutes({ auditLog }: Pick<Control, 'auditLog'>) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/audit',
      access: 'admin',
      summary: 'Read the audit log',
      query: {
        before: {
          description: 'Id of an entry: return only entries before it.',
          schema: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
        },
      },
      answers: {
        code: 200,
        schema: auditShape,
        description: 'Entries, newest first.',
      },
      async handle({ query: { before } }) {
        if (before !== undefined && !/^\d{1,15}$/.test(before))
          throw new AppFault('invalid', 'before: expected the id of an entry');
        const found = await auditLog.list({
          limit: pageEntries + 1,
          ...(before !== undefined && { before: Number(before) }),
        });
        const entries = found.slice(0, pageEntries).map(toAuditAnswer);
        return { body: { entries, hasMore: found.length > pageEntries } };
      },
    }),
  ];
}
