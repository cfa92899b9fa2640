import { deletionShape, websiteSettingsShape, websitesShape } from '@trackside/contract/app/answers.ts';
import { deleteWebsiteForm } from '@trackside/contract/app/forms.ts';
import { addWebsite } from '../../../actions/add-website.ts';
import { changeWebsite } from '../../../actions/change-website.ts';
import { removeWebsite } from '../../../actions/remove-website.ts';
import { ControlError } from '../../../control/database/control-error.ts';
import { AppFault } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { addWebsiteBody, changeWebsiteBody } from '../forms.ts';
import { toWebsiteAnswer } from '../to-answers.ts';
import type { WebsiteParts } from '../website-parts.ts';

/** Returns the routes of a user's websites and their settings. */
export function websiteRoutes({ control, usageOf, settingsOf, data }: WebsiteParts) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/websites',
      access: 'user',
      summary: 'List the websites that the user can see',
      answers: {
        code: 200,
        schema: websitesShape,
        description: 'In the order in which they were added.',
      },
      async handle({ user }) {
        const all = await control.websites.list();
        const seen = user.role === 'admin' ? all : all.filter(({ id }) => user.websites.includes(id));
        return { body: { websites: seen.map((website) => toWebsiteAnswer(website, usageOf(website))) } };
      },
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites',
      access: 'admin',
      summary: 'Add a website',
      body: addWebsiteBody,
      answers: { code: 201, schema: websiteSettingsShape, description: 'Added, with an API key.' },
      async handle({ user, body }) {
        const { website } = await withFreeDomain(() => addWebsite(control, user, body));
        return { body: await settingsOf(website) };
      },
    }),
    appRoute({
      method: 'GET',
      path: '/api/websites/:id',
      access: 'admin',
      summary: 'Get the settings of a website',
      answers: { code: 200, schema: websiteSettingsShape, description: 'Without the API key itself.' },
      handle: async ({ website }) => ({ body: await settingsOf(website) }),
    }),
    appRoute({
      method: 'PATCH',
      path: '/api/websites/:id',
      access: 'admin',
      summary: 'Change the settings of a website',
      body: changeWebsiteBody,
      answers: {
        code: 200,
        schema: websiteSettingsShape,
        description: 'Changed.',
      },
      faults: { 409: 'Someone else changed them in the meantime; `current` has the current settings.' },
      async handle({ user, website: { id }, body }) {
        try {
          const changed = await withFreeDomain(() => changeWebsite(control, user, { ...body, id }));
          return { body: await settingsOf(changed) };
        } catch (error) {
          if (!(error instanceof ControlError) || error.reason !== 'conflict') throw error;
          const current = await control.websites.find(String(id));
          throw new AppFault('conflict', error.message, {
            more: { current: current === undefined ? null : await settingsOf(current) },
          });
        }
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/websites/:id',
      access: 'admin',
      summary: 'Delete a website and all of its data',
      body: { schema: deleteWebsiteForm },
      answers: {
        code: 202,
        schema: deletionShape,
        description: 'Started: its key no longer works. GET /api/deletions/{websiteId} returns the progress.',
      },
      async handle({ user, website, body: { confirm } }) {
        const parts = { control, run: data.deleteWebsite };
        return { body: await removeWebsite(parts, user, { website, confirm }) };
      },
    }),
  ];
}

/** Reports a domain that is already taken as a fault of that field. */
async function withFreeDomain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ControlError) || error.reason !== 'already-exists') throw error;
    const fields = { domain: 'A website with this domain already exists.' };
    throw new AppFault('already-exists', fields.domain, { fields });
  }
}
