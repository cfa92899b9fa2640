import { isDeepStrictEqual } from 'node:util';
import { demoShape, dryRunShape, testViewShape } from '@trackside/contract/app/answers.ts';
import { dryRunForm, loadDemoForm, testViewForm } from '@trackside/contract/app/forms.ts';
import { addNote } from '../../../actions/add-note.ts';
import { loadDemo } from '../../../actions/load-demo.ts';
import { removeDemo } from '../../../actions/remove-demo.ts';
import { removeFunnel } from '../../../actions/remove-funnel.ts';
import { removeNote } from '../../../actions/remove-note.ts';
import { saveFunnel } from '../../../actions/save-funnel.ts';
import type { User } from '../../../control/accounts/user-row.ts';
import type { Control } from '../../../control/open-control.ts';
import type { Website } from '../../../control/websites/website-row.ts';
import { demoAuthor } from '../../../records/demo-marks.ts';
import { toStatsFault } from '../../../stats/faults.ts';
import { sendTestView } from '../../tracking/send-test-view.ts';
import { tryRecord } from '../../tracking/try-record.ts';
import { AppFault } from '../app-fault.ts';
import { appRoute, tooLargeToAnswer } from '../app-route.ts';
import type { DemoFunnels, Demos } from '../demos.ts';

type Parts = {
  control: Pick<Control, 'websites' | 'notes' | 'savedFunnels' | 'transact'>;
  tracking: Parameters<typeof sendTestView>[0] & Parameters<typeof tryRecord>[0];
  demos: Demos;
};

/** Waits for an answer of the store. If the store is away, the client is told so. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw toStatsFault(error);
  }
}

const notReady = () =>
  new AppFault('website-not-ready', 'The website was added a moment ago: try again', {
    headers: { 'Retry-After': '1' },
  });

/** Returns the routes for somebody who wants to see something before the backend sends records. */
export function firstStepsRoutes({ control, tracking, demos }: Parts) {
  /** Those of the demo, and no others: somebody may have added more, or made them their own. */
  async function removeExtras(user: User, website: Website, funnels: DemoFunnels): Promise<void> {
    for (const { id, author } of await control.notes.list(website.id))
      if (author === demoAuthor) await removeNote(control, user, { website, id });
    for (const { id, ...saved } of await control.savedFunnels.list(website.id))
      if (funnels.some((funnel) => isDeepStrictEqual(funnel, saved)))
        await removeFunnel(control, user, { website, id });
  }

  return [
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/test-view',
      access: 'admin',
      summary: 'Send a test page view',
      body: { schema: testViewForm },
      answers: {
        code: 200,
        schema: testViewShape,
        description: 'The response that a backend would have received. The record counts like any other.',
      },
      async handle({ website, body }) {
        const { apiKey } = await control.websites.keyFacts(website.id);
        const answer = await sendTestView(tracking, { ...body, apiKey, domain: website.domain });
        if (answer.code === 401) throw notReady();
        return { body: answer };
      },
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/dry-run',
      access: 'admin',
      summary: 'Check a record without storing it',
      body: { schema: dryRunForm },
      answers: {
        code: 200,
        schema: dryRunShape,
        description: 'How a backend would be answered. Nothing is stored or counted.',
      },
      async handle({ website, body: { kind, body } }) {
        const { apiKey } = await control.websites.keyFacts(website.id);
        const answer = await tryRecord(tracking, { apiKey, kind, body: Buffer.from(body) });
        if (answer === undefined) throw notReady();
        return { body: answer };
      },
    }),
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/demo',
      access: 'user',
      summary: 'Check whether a website has demo data, and how much of it is loaded',
      answers: {
        code: 200,
        schema: demoShape,
        description: 'The state of the demo data, which the server makes up.',
      },
      faults: { 422: tooLargeToAnswer },
      handle: async ({ website }) => ({ body: await asked(demos.stateOf(website.id)) }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/demo',
      access: 'admin',
      summary: 'Load demo data into a website that has no records',
      body: { schema: loadDemoForm },
      answers: { code: 202, schema: demoShape, description: 'The demo data is being loaded.' },
      faults: {
        403: "The website has records, or the user isn't allowed to do this.",
        422: tooLargeToAnswer,
      },
      async handle({ user, website, body: { days } }) {
        const isPossible = () => asked(demos.canLoad(website.id));
        const begin = () =>
          demos.load(website, {
            days,
            async leave({ notes, funnels }) {
              for (const note of notes)
                await addNote(control, user, { ...note, website, author: demoAuthor });
              for (const funnel of funnels) await saveFunnel(control, user, { website, funnel });
            },
          });
        if (!(await loadDemo({ control, isPossible, begin }, user, website)))
          throw new AppFault('not-allowed', 'Demo data can only be loaded into a website without records');
        return { body: await asked(demos.stateOf(website.id)) };
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/websites/:id/demo',
      access: 'admin',
      summary: 'Remove the demo data of a website',
      answers: {
        code: 202,
        schema: demoShape,
        description: 'The demo data is being removed. Other records stay.',
      },
      faults: { 422: tooLargeToAnswer },
      async handle({ user, website }) {
        const isPossible = () => asked(demos.canRemove(website.id));
        const begin = () =>
          demos.remove(website, { leave: ({ funnels }) => removeExtras(user, website, funnels) });
        await removeDemo({ control, isPossible, begin }, user, website);
        return { body: await asked(demos.stateOf(website.id)) };
      },
    }),
  ];
}
