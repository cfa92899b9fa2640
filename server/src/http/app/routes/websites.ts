import Type from 'typebox';
import { ControlError } from '../../../control/database/control-error.ts';
import { AppFault } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { contingentField, domainField, nameField, retentionField, timezoneField } from '../fields.ts';
import { optional, text, whole } from '../read-form.ts';
import { deletionShape, websiteSettingsShape, websiteShape } from '../shapes.ts';
import { toWebsiteAnswer } from '../to-answers.ts';
import type { WebsiteParts } from '../website-parts.ts';

/** The websites of a user, and their settings. */
export function websiteRoutes(parts: WebsiteParts) {
  const { control, usageOf, settingsOf, data } = parts;

  return [
    appRoute({
      method: 'GET',
      path: '/api/websites',
      access: 'user',
      summary: 'The websites that the user may see',
      answers: {
        code: 200,
        schema: Type.Object({ websites: Type.Array(websiteShape) }),
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
      body: {
        domain: domainField,
        name: optional(nameField),
        timezone: timezoneField,
        contingent: contingentField,
      },
      answers: { code: 201, schema: websiteSettingsShape, description: 'Added, with an API key.' },
      async handle({ user, body }) {
        const { website } = await withFreeDomain(() => control.websites.add(body));
        const { id: websiteId, domain: subject } = website;
        await control.auditLog.add({ actor: user.email, action: 'website.added', websiteId, subject });
        return { body: await settingsOf(website) };
      },
    }),
    appRoute({
      method: 'GET',
      path: '/api/websites/:id',
      access: 'admin',
      summary: 'The settings of a website',
      answers: { code: 200, schema: websiteSettingsShape, description: 'Without the API key itself.' },
      handle: async ({ website }) => ({ body: await settingsOf(website) }),
    }),
    appRoute({
      method: 'PATCH',
      path: '/api/websites/:id',
      access: 'admin',
      summary: 'Change the settings of a website',
      body: {
        version: whole({
          min: 1,
          max: Number.MAX_SAFE_INTEGER,
          description: 'Of the settings as they were read.',
        }),
        name: optional(nameField),
        domain: optional(domainField),
        timezone: optional(timezoneField),
        contingent: optional(contingentField),
        retentionDays: optional(retentionField),
      },
      answers: {
        code: 200,
        schema: websiteSettingsShape,
        description:
          'Changed. 409 when somebody else changed them meanwhile; `current` has them as they are now.',
      },
      async handle({ user, website, body }) {
        try {
          const changed = await withFreeDomain(() => control.websites.update(website.id, body));
          await writeDown(parts, user.email, website, changed);
          return { body: await settingsOf(changed) };
        } catch (error) {
          if (!(error instanceof ControlError) || error.reason !== 'conflict') throw error;
          const current = await control.websites.find(String(website.id));
          throw new AppFault(409, error.message, {
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
      body: { confirm: text({ max: 300, description: 'The domain, typed again.' }) },
      answers: {
        code: 202,
        schema: deletionShape,
        description: 'Begun: its key no longer works. GET …/deletion tells how far it is.',
      },
      async handle({ user, website, body }) {
        if (body.confirm.trim().toLowerCase() !== website.domain) {
          const fields = { confirm: `Expected the domain, ${website.domain}.` };
          throw new AppFault(400, fields.confirm, { fields });
        }
        const { id: websiteId, domain: subject } = website;
        await control.auditLog.add({
          actor: user.email,
          action: 'website.deletion-started',
          websiteId,
          subject,
        });
        return { body: await data.deleteWebsite(websiteId) };
      },
    }),
  ];
}

/** A domain that another website has is a fault of that field. */
async function withFreeDomain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ControlError) || error.reason !== 'already-exists') throw error;
    const fields = { domain: 'There is a website with this domain already.' };
    throw new AppFault(400, fields.domain, { fields });
  }
}

type Compared = 'name' | 'domain' | 'timezone' | 'contingent' | 'retentionDays';
type Settings = { id: number; domain: string } & Record<Compared, string | number | null>;

/** One line in the audit log for each kind of change, with what it was and what it is. */
async function writeDown(
  { control }: WebsiteParts,
  actor: string,
  before: Settings,
  after: Settings,
): Promise<void> {
  const changesOf = (names: readonly Compared[]) =>
    Object.fromEntries(
      names
        .filter((name) => before[name] !== after[name])
        .map((name) => [name, { from: before[name], to: after[name] }]),
    );
  const kinds = [
    ['website.changed', changesOf(['name', 'domain', 'timezone'])],
    ['website.contingent-changed', changesOf(['contingent'])],
    ['website.retention-changed', changesOf(['retentionDays'])],
  ] as const;
  for (const [action, detail] of kinds) {
    if (Object.keys(detail).length === 0) continue;
    await control.auditLog.add({ actor, action, websiteId: after.id, subject: after.domain, detail });
  }
}
