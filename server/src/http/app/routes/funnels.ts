import Type from 'typebox';
import type { AuditAction } from '../../../control/accounts/audit-log.ts';
import type { Control } from '../../../control/open-control.ts';
import type { SavedFunnel } from '../../../control/websites/saved-funnels.ts';
import type { Website } from '../../../control/websites/website-row.ts';
import { notFound } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { funnelNameField, funnelStepsField, withinDaysField } from '../funnel-fields.ts';
import { funnelShape } from '../shapes.ts';
import { toFunnelAnswer } from '../to-answers.ts';

/** Funnels that are kept, so that nobody has to put them together again. Their numbers come from the statistics. */
export function funnelRoutes({ savedFunnels, auditLog }: Pick<Control, 'savedFunnels' | 'auditLog'>) {
  const writeDown = (actor: string, action: AuditAction, website: Website, { name }: SavedFunnel) =>
    auditLog.add({ actor, action, websiteId: website.id, subject: website.domain, detail: { name } });

  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/funnels',
      access: 'user',
      summary: 'The funnels of a website',
      answers: {
        code: 200,
        schema: Type.Object({ funnels: Type.Array(funnelShape) }),
        description: 'In the order in which they were added.',
      },
      handle: async ({ website }) => ({
        body: { funnels: (await savedFunnels.list(website.id)).map(toFunnelAnswer) },
      }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/funnels',
      access: 'admin',
      summary: 'Add a funnel',
      body: { name: funnelNameField, steps: funnelStepsField, withinDays: withinDaysField },
      answers: { code: 201, schema: funnelShape, description: 'Added.' },
      async handle({ user, website, body }) {
        const funnel = await savedFunnels.add(website.id, body);
        await writeDown(user.email, 'funnel.added', website, funnel);
        return { body: toFunnelAnswer(funnel) };
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/websites/:id/funnels/:funnelId',
      access: 'admin',
      summary: 'Remove a funnel',
      answers: { code: 204, description: 'Removed.' },
      async handle({ user, website, params }) {
        const funnel = /^\d{1,15}$/.test(params.funnelId!)
          ? await savedFunnels.remove(website.id, Number(params.funnelId))
          : undefined;
        if (funnel === undefined) throw notFound();
        await writeDown(user.email, 'funnel.removed', website, funnel);
        return {};
      },
    }),
  ];
}
