import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../core/clock.ts';
import { ControlError } from './control-error.ts';
import type { Database } from './database.ts';
import { hashApiKey } from './hash-api-key.ts';
import { checkContingent } from './parse-contingent.ts';
import { parseDomain } from './parse-domain.ts';
import { parseTimezone } from './parse-timezone.ts';
import type { SecretBox } from './secret-box.ts';
import type { Tables } from './tables.ts';

export type Website = {
  id: number;
  domain: string;
  timezone: string;
  /** Records a month; null when unlimited. */
  contingent: number | null;
  createdAt: number;
};

/** What a node needs to know of a website in order to accept its records. */
export type DirectoryRow = { website: Website; keyHashes: string[]; clientIdKey: Buffer };

export type Websites = {
  add(input: {
    domain: string;
    timezone: string;
    contingent: number | null;
  }): Promise<{ website: Website; apiKey: string }>;
  list(): Promise<Website[]>;
  find(idOrDomain: string): Promise<Website | undefined>;
  /** The old key stops working with the same transaction. */
  regenerateKey(id: number): Promise<{ apiKey: string }>;
  apiKey(id: number): Promise<string>;
  setContingent(id: number, contingent: number | null): Promise<Website>;
  directory(): Promise<DirectoryRow[]>;
};

const secretBytes = 32;
const columns = ['id', 'domain', 'timezone', 'contingent', 'created_at'] as const;

export function createWebsites(options: { database: Database; box: SecretBox; clock: Clock }): Websites {
  const { box, clock } = options;
  const { db } = options.database;

  async function insertKey(trx: Kysely<Tables>, websiteId: number): Promise<string> {
    const apiKey = randomBytes(secretBytes).toString('base64url');
    await trx
      .insertInto('api_keys')
      .values({
        key_hash: hashApiKey(apiKey),
        website_id: websiteId,
        key_encrypted: box.seal(Buffer.from(apiKey), apiKeyContext(websiteId)),
        created_at: clock.now(),
      })
      .execute();
    return apiKey;
  }

  return {
    async add(input) {
      const domain = parseDomain(input.domain);
      const timezone = parseTimezone(input.timezone);
      const contingent = checkContingent(input.contingent);
      return await db.transaction().execute(async (trx) => {
        const id = await countWebsite(trx);
        const row = await trx
          .insertInto('websites')
          .values({
            id,
            domain,
            timezone,
            contingent,
            client_id_key_encrypted: box.seal(randomBytes(secretBytes), clientIdKeyContext(id)),
            created_at: clock.now(),
          })
          .onConflict((conflict) => conflict.column('domain').doNothing())
          .returning(columns)
          .executeTakeFirst();
        if (row === undefined) {
          throw new ControlError(
            'already-exists',
            `The domain: expected one that no website has yet, got ${domain}, which has been added before. ` +
              `To see its API key, run: trackside website show-key ${domain}`,
          );
        }
        await bumpRevision(trx);
        return { website: toWebsite(row), apiKey: await insertKey(trx, id) };
      });
    },

    async list() {
      const rows = await db.selectFrom('websites').select(columns).orderBy('id').execute();
      return rows.map(toWebsite);
    },

    async find(idOrDomain) {
      const query = db.selectFrom('websites').select(columns);
      const row = await (/^\d{1,15}$/.test(idOrDomain)
        ? query.where('id', '=', Number(idOrDomain))
        : query.where('domain', '=', parseDomain(idOrDomain))
      ).executeTakeFirst();
      return row && toWebsite(row);
    },

    async regenerateKey(id) {
      return await db.transaction().execute(async (trx) => {
        const website = await trx.selectFrom('websites').select('id').where('id', '=', id).executeTakeFirst();
        if (website === undefined) throw websiteNotFound(id);
        await trx.deleteFrom('api_keys').where('website_id', '=', id).execute();
        await bumpRevision(trx);
        return { apiKey: await insertKey(trx, id) };
      });
    },

    async apiKey(id) {
      const row = await db
        .selectFrom('api_keys')
        .select('key_encrypted')
        .where('website_id', '=', id)
        .orderBy('created_at', 'desc')
        .executeTakeFirst();
      if (row === undefined) throw websiteNotFound(id);
      return box.open(row.key_encrypted, apiKeyContext(id)).toString();
    },

    async setContingent(id, contingent) {
      checkContingent(contingent);
      return await db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('websites')
          .set({ contingent })
          .where('id', '=', id)
          .returning(columns)
          .executeTakeFirst();
        if (row === undefined) throw websiteNotFound(id);
        await bumpRevision(trx);
        return toWebsite(row);
      });
    },

    async directory() {
      // One statement, so that websites and keys are of the same moment.
      const rows = await db
        .selectFrom('websites')
        .leftJoin('api_keys', 'api_keys.website_id', 'websites.id')
        .select(['websites.id', 'domain', 'timezone', 'contingent', 'websites.created_at'])
        .select(['client_id_key_encrypted', 'key_hash'])
        .orderBy('websites.id')
        .execute();
      const directory = new Map<number, DirectoryRow>();
      for (const row of rows) {
        let entry = directory.get(row.id);
        if (entry === undefined) {
          const clientIdKey = box.open(row.client_id_key_encrypted, clientIdKeyContext(row.id));
          entry = { website: toWebsite(row), keyHashes: [], clientIdKey };
          directory.set(row.id, entry);
        }
        if (row.key_hash !== null) entry.keyHashes.push(row.key_hash);
      }
      return [...directory.values()];
    },
  };
}

const apiKeyContext = (websiteId: number) => `api_keys.key of website ${websiteId}`;
const clientIdKeyContext = (websiteId: number) => `websites.client_id_key of website ${websiteId}`;

async function countWebsite(trx: Kysely<Tables>): Promise<number> {
  const row = await trx
    .updateTable('control_state')
    .set((eb) => ({ last_website_id: eb('last_website_id', '+', 1) }))
    .returning('last_website_id')
    .executeTakeFirstOrThrow();
  return row.last_website_id;
}

/** Running nodes look at the revision only, so every change that they must see ends here. */
async function bumpRevision(trx: Kysely<Tables>): Promise<void> {
  await trx
    .updateTable('control_state')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .execute();
}

function toWebsite(row: Pick<Tables['websites'], (typeof columns)[number]>): Website {
  const { id, domain, timezone, contingent, created_at } = row;
  return { id, domain, timezone, contingent, createdAt: created_at };
}

export function websiteNotFound(id: number): ControlError {
  return new ControlError(
    'not-found',
    `Website ${id}: expected the id of a website, and there is none with this id. See: trackside website list`,
  );
}
