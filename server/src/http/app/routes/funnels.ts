import { funnelShape, funnelsShape } from '@trackside/contract/app/answers.ts';
import { arrangeFunnelsForm } from '@trackside/contract/app/forms.ts';
import { arrangeFunnels } from '../../../actions/arrange-funnels.ts';
import { changeFunnel } from '../../../actions/change-funnel.ts';
import { removeFunnel } from '../../../actions/remove-funnel.ts';
import { saveFunnel } from '../../../actions/save-funnel.ts';
import type { Control } from '../../../control/open-control.ts';
import { notFound } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { addFunnelBody } from '../forms.ts';
import { readId } from '../read-id.ts';
import { toFunnelAnswer } from '../to-answers.ts';

/**
 * Returns the routes of saved funnels, which nobody has to put together again. Their numbers come from the
 * statistics.
 */
export function funnelRoutes(control: Pick<Control, 'savedFunnels' | 'transact'>) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/funnels',
      access: 'user',
      summary: 'List the funnels of a website',
      answers: {
        code: 200,
        schema: funnelsShape,
        description: 'In the order in which they are shown.',
      },
      handle: async ({ website }) => ({
        body: { funnels: (await control.savedFunnels.list(website.id)).map(toFunnelAnswer) },
      }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/funnels',
      access: 'admin',
      summary: 'Add a funnel',
      body: addFunnelBody,
      answers: { code: 201, schema: funnelShape, description: 'Added.' },
      async handle({ user, website, body }) {
        const funnel = await saveFunnel(control, user, { website, funnel: body });
        return { body: toFunnelAnswer(funnel) };
      },
    }),
    appRoute({
      method: 'PUT',
      path: '/api/websites/:id/funnels',
      access: 'admin',
      summary: 'Reorder the funnels',
      body: { schema: arrangeFunnelsForm },
      answers: { code: 200, schema: funnelsShape, description: 'In their new order.' },
      async handle({ user, website, body }) {
        const funnels = await arrangeFunnels(control, user, { website, ids: body.ids });
        return { body: { funnels: funnels.map(toFunnelAnswer) } };
      },
    }),
    appRoute({
      method: 'PUT',
      path: '/api/websites/:id/funnels/:funnelId',
      access: 'admin',
      summary: 'Change a funnel',
      body: addFunnelBody,
      answers: { code: 200, schema: funnelShape, description: 'As it is now.' },
      async handle({ user, website, params, body }) {
        const id = readId(params.funnelId);
        const funnel = id && (await changeFunnel(control, user, { website, funnel: { ...body, id } }));
        if (!funnel) throw notFound();
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
        const id = readId(params.funnelId);
        const funnel = id && (await removeFunnel(control, user, { website, id }));
        if (!funnel) throw notFound();
        return {};
      },
    }),
  ];
}
