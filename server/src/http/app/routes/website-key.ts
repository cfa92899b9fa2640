import { apiKeyShape, newApiKeyShape, websiteSettingsShape } from '@trackside/contract/app/answers.ts';
import { regenerateKeyForm, shareForm } from '@trackside/contract/app/forms.ts';
import { regenerateKey } from '../../../actions/regenerate-key.ts';
import { revealKey } from '../../../actions/reveal-key.ts';
import { setShareLink } from '../../../actions/set-share-link.ts';
import { appRoute } from '../app-route.ts';
import type { WebsiteParts } from '../website-parts.ts';

/** Returns the routes of the secrets that a website's settings show: the API key and the public link. */
export function websiteKeyRoutes({ control, settingsOf }: WebsiteParts) {
  const now = async (id: number) => await settingsOf((await control.websites.find(String(id)))!);

  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/key',
      access: 'admin',
      summary: 'Reveal the API key',
      answers: {
        code: 200,
        schema: apiKeyShape,
        isRecorded: true,
        description: 'The key itself. The audit log records that it was shown.',
      },
      handle: async ({ user, website }) => ({
        body: { apiKey: await revealKey(control, user, website) },
      }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/key',
      access: 'admin',
      summary: 'Regenerate the API key',
      body: { schema: regenerateKeyForm },
      answers: {
        code: 200,
        schema: newApiKeyShape,
        description:
          'Within a second, the new key works. The old one stops working then, or `keepOldHours` later.',
      },
      async handle({ user, website, body: { keepOldHours } }) {
        const { apiKey } = await regenerateKey(control, user, { website, keepOldHours });
        return { body: { apiKey, settings: await now(website.id) } };
      },
    }),
    appRoute({
      method: 'PUT',
      path: '/api/websites/:id/share',
      access: 'admin',
      summary: 'Turn the public link on or off, or renew it',
      body: { schema: shareForm },
      answers: { code: 200, schema: websiteSettingsShape, description: 'The new settings.' },
      async handle({ user, website, body: { isOn, renew } }) {
        const to = !isOn ? 'off' : renew === true ? 'renewed' : 'on';
        await setShareLink(control, user, { website, to });
        return { body: await now(website.id) };
      },
    }),
  ];
}
