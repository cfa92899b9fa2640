import Type from 'typebox';
import type { Control } from '../../../control/open-control.ts';
import { AppFault } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { emailField, newPasswordField } from '../fields.ts';
import { text } from '../read-form.ts';
import { sessionShape } from '../shapes.ts';
import { startSession } from '../start-session.ts';

/** The first user, by the link that the server prints while there is none. */
export function setupRoutes(control: Pick<Control, 'users' | 'sessions' | 'signIn' | 'auditLog'>) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/setup',
      access: 'anyone',
      summary: 'Whether the first user is still to be made',
      answers: {
        code: 200,
        schema: Type.Object({ isNeeded: Type.Boolean() }),
        description: 'Whether there is no user yet.',
      },
      handle: async () => ({ body: { isNeeded: !(await control.users.isSetUp()) } }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/setup',
      access: 'anyone',
      summary: 'Make the first user, an admin',
      body: {
        token: text({ max: 100, description: 'Of the link that the server prints.', isSecret: true }),
        email: emailField,
        password: newPasswordField,
      },
      answers: { code: 201, schema: sessionShape, description: 'Made, and signed in.' },
      async handle({ body, deviceProof }) {
        if (!(await control.users.hasSetupToken(body.token)))
          throw new AppFault(
            403,
            'This link does not work: it has been used, or a newer one was printed. The server prints one when it starts and has no user yet.',
          );
        const user = await control.users.addFirst(body);
        await control.auditLog.add({ actor: user.email, action: 'user.added', subject: user.email });
        return await startSession(control, user, { code: 201, deviceProof });
      },
    }),
  ];
}
