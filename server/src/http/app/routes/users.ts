import { userShape, usersShape } from '@trackside/contract/app/answers.ts';
import { addUserForm, changeUserForm } from '@trackside/contract/app/forms.ts';
import { addUser } from '../../../actions/add-user.ts';
import { changeUser } from '../../../actions/change-user.ts';
import { removeUser } from '../../../actions/remove-user.ts';
import type { User } from '../../../control/accounts/user-row.ts';
import type { Control } from '../../../control/open-control.ts';
import { notFound } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { readId } from '../read-id.ts';
import { toUserAnswer } from '../to-answers.ts';

/** Returns the routes of users, for admins. */
export function userRoutes(control: Pick<Control, 'users' | 'transact'>) {
  const { users } = control;
  const find = async (text: string): Promise<User> => {
    const id = readId(text);
    const user = id && (await users.get(id));
    if (!user) throw notFound();
    return user;
  };

  return [
    appRoute({
      method: 'GET',
      path: '/api/users',
      access: 'admin',
      summary: 'List all users',
      answers: {
        code: 200,
        schema: usersShape,
        description: 'All users.',
      },
      handle: async () => ({ body: { users: (await users.list()).map(toUserAnswer) } }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/users',
      access: 'admin',
      summary: 'Add a user',
      body: { schema: addUserForm },
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
      summary: "Change a user's role or access, or set a password",
      body: { schema: changeUserForm },
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
      answers: { code: 204, description: 'Removed and signed out everywhere.' },
      faults: { 400: "You can't remove yourself." },
      async handle({ user: admin, params }) {
        const { id } = await find(params.userId!);
        await removeUser(control, admin, id);
        return {};
      },
    }),
  ];
}
