import Type from 'typebox';
import { AppFault, notFound } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { clientIdField } from '../fields.ts';
import { text } from '../read-form.ts';
import { readTokenShape } from '../shapes.ts';
import { toTokenAnswer } from '../to-answers.ts';
import type { WebsiteParts } from '../website-parts.ts';

/** Who else reads a website's numbers, and what is kept about one person. */
export function websiteDataRoutes({ control, data }: WebsiteParts) {
  const { readTokens, auditLog } = control;

  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/tokens',
      access: 'admin',
      summary: 'The read tokens of a website',
      answers: {
        code: 200,
        schema: Type.Object({ tokens: Type.Array(readTokenShape) }),
        description: 'Without the tokens themselves, which are not kept.',
      },
      handle: async ({ website }) => ({
        body: { tokens: (await readTokens.list(website.id)).map(toTokenAnswer) },
      }),
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/tokens',
      access: 'admin',
      summary: 'Make a read token',
      body: { name: text({ max: 400, description: 'What it is for.' }) },
      answers: {
        code: 201,
        schema: Type.Object({ ...readTokenShape.properties, token: Type.String() }),
        description: 'The only time that the token is shown.',
      },
      async handle({ user, website: { id, domain }, body }) {
        const { token, ...added } = await readTokens.add(id, body.name);
        const detail = { name: added.name };
        await auditLog.add({
          actor: user.email,
          action: 'token.added',
          websiteId: id,
          subject: domain,
          detail,
        });
        return { body: { ...toTokenAnswer(added), token } };
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/websites/:id/tokens/:tokenId',
      access: 'admin',
      summary: 'Revoke a read token',
      answers: { code: 204, description: 'It no longer works.' },
      async handle({ user, website: { id, domain }, params }) {
        const token = (await readTokens.list(id)).find((one) => String(one.id) === params.tokenId);
        if (token === undefined) throw notFound();
        await readTokens.revoke(token.id);
        const detail = { name: token.name };
        const action = 'token.revoked';
        await auditLog.add({ actor: user.email, action, websiteId: id, subject: domain, detail });
        return {};
      },
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/person/export',
      access: 'admin',
      summary: 'All records of one person',
      body: { clientId: clientIdField },
      answers: { code: 200, description: 'A file with one JSON object on each line.' },
      async handle({ user, website: { id, domain }, body }) {
        const content = await data.exportPerson(id, checkClientId(body.clientId));
        await auditLog.add({ actor: user.email, action: 'person.exported', websiteId: id, subject: domain });
        return { stream: { content, type: 'application/x-ndjson', fileName: `person-${domain}.ndjson` } };
      },
    }),
    appRoute({
      method: 'POST',
      path: '/api/websites/:id/person/erase',
      access: 'admin',
      summary: 'Erase all records of one person',
      body: { clientId: clientIdField },
      answers: {
        code: 200,
        schema: Type.Object({ records: Type.Integer() }),
        description: 'How many records were erased.',
      },
      async handle({ user, website: { id, domain }, body }) {
        const { records } = await data.erasePerson(id, checkClientId(body.clientId));
        const detail = { records };
        const action = 'person.erased';
        await auditLog.add({ actor: user.email, action, websiteId: id, subject: domain, detail });
        return { body: { records } };
      },
    }),
  ];
}

function checkClientId(clientId: string): string {
  if (clientId !== '') return clientId;
  const fields = { clientId: 'Expected the ClientId as your backend sends it.' };
  throw new AppFault(400, fields.clientId, { fields });
}
