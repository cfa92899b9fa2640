import { erasedShape, newReadTokenShape, readTokensShape } from '@trackside/contract/app/answers.ts';
import { addTokenForm, personForm } from '@trackside/contract/app/forms.ts';
import { createToken } from '../../../actions/create-token.ts';
import { erasePerson } from '../../../actions/erase-person.ts';
import { exportRecords } from '../../../actions/export-records.ts';
import { revokeToken } from '../../../actions/revoke-token.ts';
import { AppFault, notFound } from '../app-fault.ts';
import { appRoute, tooLargeToAnswer } from '../app-route.ts';
import { toTokenAnswer } from '../to-answers.ts';
import type { WebsiteParts } from '../website-parts.ts';

/** Returns the routes of a website's read tokens, and of the data that it keeps about one person. */
export function websiteDataRoutes({ control, data }: WebsiteParts) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/tokens',
      access: 'admin',
      summary: 'List the read tokens of a website',
      answers: {
        code: 200,
        schema: readTokensShape,
        description: 'Without the tokens themselves, which are not stored.',
      },
      handle: async ({ website }) => ({
        body: { tokens: (await control.readTokens.list(website.id)).map(toTokenAnswer) },
      }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/tokens',
      access: 'admin',
      summary: 'Create a read token',
      body: { schema: addTokenForm },
      answers: {
        code: 201,
        schema: newReadTokenShape,
        description: 'This is the only time the token is shown.',
      },
      async handle({ user, website, body: { name } }) {
        const { token, ...added } = await createToken(control, user, { website, name });
        return { body: { ...toTokenAnswer(added), token } };
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/websites/:id/tokens/:tokenId',
      access: 'admin',
      summary: 'Revoke a read token',
      answers: { code: 204, description: 'The token no longer works.' },
      async handle({ user, website, params }) {
        const tokens = await control.readTokens.list(website.id);
        const token = tokens.find(({ id }) => String(id) === params.tokenId);
        if (token === undefined) throw notFound();
        await revokeToken(control, user, token.id);
        return {};
      },
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/person/export',
      access: 'admin',
      summary: 'Export all records of one person',
      body: { schema: personForm },
      answers: {
        code: 200,
        types: ['application/x-ndjson'],
        description: 'A file with one JSON object per line.',
      },
      faults: { 422: tooLargeToAnswer },
      async handle({ user, website, body }) {
        const clientId = checkClientId(body.clientId);
        const open = () => data.exportPerson(website.id, clientId);
        const content = await exportRecords({ control, open }, user, website, { person: true });
        const fileName = `person-${website.domain}.ndjson`;
        return { stream: { content, type: 'application/x-ndjson', fileName } };
      },
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/person/erase',
      access: 'admin',
      summary: 'Erase all records of one person',
      body: { schema: personForm },
      answers: {
        code: 200,
        schema: erasedShape,
        description: 'The number of erased records, once they are gone. That can take minutes.',
      },
      faults: { 422: tooLargeToAnswer },
      async handle({ user, website, body }) {
        const visitorId = data.visitorOf(website.id, checkClientId(body.clientId));
        const { records } = await erasePerson({ control, run: data.erase }, user, { website, visitorId });
        return { body: { records } };
      },
    }),
  ];
}

function checkClientId(clientId: string): string {
  if (clientId !== '') return clientId;
  const fields = { clientId: 'Expected the ClientId as your backend sends it.' };
  throw new AppFault('invalid', fields.clientId, { fields });
}
