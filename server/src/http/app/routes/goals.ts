import { goalShape, goalsShape } from '@trackside/contract/app/answers.ts';
import { addGoal } from '../../../actions/add-goal.ts';
import { changeGoal } from '../../../actions/change-goal.ts';
import { removeGoal } from '../../../actions/remove-goal.ts';
import type { Control } from '../../../control/open-control.ts';
import { notFound } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { addGoalBody, changeGoalBody } from '../forms.ts';
import { readId } from '../read-id.ts';

/** Returns the routes of the goals of a website. Their numbers come from the statistics. */
export function goalRoutes(control: Pick<Control, 'goals' | 'transact'>) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/goals',
      access: 'user',
      summary: 'List the goals of a website',
      answers: { code: 200, schema: goalsShape, description: 'In the order in which they were added.' },
      handle: async ({ website }) => ({ body: { goals: await control.goals.list(website.id) } }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/goals',
      access: 'admin',
      summary: 'Add a goal',
      body: addGoalBody,
      answers: { code: 201, schema: goalShape, description: 'Added.' },
      async handle({ user, website, body: { name = null, goal } }) {
        return { body: await addGoal(control, user, { website, goal: { name, goal } }) };
      },
    }),
    appRoute({
      method: 'PATCH',
      path: '/api/websites/:id/goals/:goalId',
      access: 'admin',
      summary: 'Change the name, the page or the event of a goal',
      body: changeGoalBody,
      answers: { code: 200, schema: goalShape, description: 'Changed.' },
      async handle({ user, website, params, body: changes }) {
        const id = readId(params.goalId);
        const goal = id && (await changeGoal(control, user, { website, id, changes }));
        if (!goal) throw notFound();
        return { body: goal };
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/websites/:id/goals/:goalId',
      access: 'admin',
      summary: 'Remove a goal',
      answers: { code: 204, description: 'Removed.' },
      async handle({ user, website, params }) {
        const id = readId(params.goalId);
        const goal = id && (await removeGoal(control, user, { website, id }));
        if (!goal) throw notFound();
        return {};
      },
    }),
  ];
}
