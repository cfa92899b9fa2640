import { sessionShape, setupShape } from '@trackside/contract/app/answers.ts';
import { setupForm } from '@trackside/contract/app/forms.ts';
import { setUp } from '../../../actions/set-up.ts';
import type { Control } from '../../../control/open-control.ts';
import { answerSession } from '../answer-session.ts';
import { AppFault } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';

/**
 * Returns the routes that set up the first user, through the link that the server prints as long as there is
 * no user.
 */
export function setupRoutes(control: Pick<Control, 'users' | 'signIn' | 'transact'>) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/setup',
      access: 'anyone',
      summary: 'Check whether the first user still has to be created',
      answers: {
        code: 200,
        schema: setupShape,
        description: 'Whether there are no users yet.',
      },
      handle: async () => ({ body: { isNeeded: !(await control.users.isSetUp()) } }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/setup',
      access: 'anyone',
      summary: 'Create the first user, an admin',
      body: { schema: setupForm },
      answers: { code: 201, schema: sessionShape, description: 'Created and signed in.' },
      async handle({ body, deviceProof, device }) {
        if (!(await control.users.hasSetupToken(body.token)))
          throw new AppFault(
            'not-allowed',
            'This link is invalid: it was already used, or the server has printed a newer one. ' +
              'The server prints a link when it starts and has no users yet.',
          );
        return await answerSession(control, await setUp(control, { ...body, device }), {
          code: 201,
          deviceProof,
        });
      },
    }),
  ];
}
