import { userShape } from '@trackside/contract/app/answers.ts';
import Type from 'typebox';
import { addUser } from '../../../actions/add-user.ts';
import { changeUser } from '../../../actions/change-user.ts';
import { removeUser } from '../../../actions/remove-user.ts';
import type { User } from '../../../control/accounts/users.ts';
import type { Control } from '../../../control/open-control.ts';
import { notFound } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { emailField, newPasswordField, roleField } from '../fields.ts';
import { listOf, optional, whole } from '../read-form.ts';
import { toUserAnswer } from '../to-answers.ts';

const websitesField = listOf(whole({ min: 1, max: 0xffff_ffff, description: 'Id of a website.' }), {
  max: 10_000,
  description: 'Websites that a viewer may see; of no use for an admin.',
});

/** Who may sign in, for admins. */
export function userRoutes(control: Pick<Control, 'users' | 'transact'>) {
  const { users } = control;
  const find = async (id: string): Promise<User> => {
    const user = /^\d{1,15}$/.test(id) ? await users.get(Number(id)) : undefined;
    if (user === undefined) throw notFound();
    return user;
  };

  return [
    appRoute({
      method: 'GET',
      path: '/api/users',
      access: 'admin',
      summary: 'All users',
      answers: {
        code: 200,
        schema: Type.Object({ users: Type.Array(userShape) }),
        description: 'All users.',
      },
      handle: async () => ({ body: { users: (await users.list()).map(toUserAnswer) } }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/users',
      access: 'admin',
      summary: 'Add a user',
      body: {
        email: emailField,
        password: newPasswordField,
        role: roleField,
        websites: optional(websitesField),
      },
      answers: { code: 201, schema: userShape, description: 'Added.' },
      async handle({ user: admin, body }) {
        const { websites = [], ...rest } = body;
        return { body: toUserAnswer(await addUser(control, admin, { ...rest, websites })) };
      },
    }),
    appRoute({
      method: 'PATCH',
      path: '/api/users/:userId',
      access: 'admin',
      summary: 'Change what a user may do, or set a password',
      body: {
        role: optional(roleField),
        websites: optional(websitesField),
        password: optional(newPasswordField),
      },
      answers: { code: 200, schema: userShape, description: 'Changed.' },
      async handle({ user: admin, params, body }) {
        const { id } = await find(params.userId!);
        return { body: toUserAnswer(await changeUser(control, admin, { ...body, id })) };
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/users/:userId',
      access: 'admin',
      summary: 'Remove a user',
      answers: { code: 204, description: 'Removed; its sessions have ended.' },
      async handle({ user: admin, params }) {
        const { id } = await find(params.userId!);
        await removeUser(control, admin, id);
        return {};
      },
    }),
  ];
}
