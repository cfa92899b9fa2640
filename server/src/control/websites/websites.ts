import { randomBytes } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import { maxNameLength } from '@trackside/contract/app/limits.ts';
import type { Kysely } from 'kysely';
import type { AddressRules } from '../../text/address-rules.ts';
import type { Clock } from '../../time/clock.ts';
import { ControlError } from '../database/control-error.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { raiseRevision } from '../database/raise-revision.ts';
import { sealedAt } from '../database/sealed-values.ts';
import type { SecretBox } from '../database/secret-box.ts';
import type { Tables } from '../database/tables.ts';
import { type ApiKeys, createApiKeys } from './api-keys.ts';
import { checkContingent } from './parse-contingent.ts';
import { parseDomain } from './parse-domain.ts';
import { parseExclusions } from './parse-exclusions.ts';
import { parseReadOrigins } from './parse-read-origins.ts';
import { checkRetention } from './parse-retention.ts';
import { parseTimezone } from './parse-timezone.ts';
import { parseWebsiteName } from './parse-website-name.ts';
import { createShareLinks, type ShareLinks } from './share-links.ts';
import { toWebsite, type Website, websiteColumns, websiteNotFound } from './website-row.ts';

/** What a node needs to know about a website in order to accept its records. */
export type WebsiteCacheRow = {
  website: Website;
  keys: { hash: string; expiresAt: number | null }[];
  clientIdKey: Buffer;
};

export type WebsiteChange = {
  /**
   * The version of the settings that were changed. If something else was changed in between, there is a
   * conflict. If it is left out, the change is made anyway.
   */
  version?: number | undefined;
  name?: string | undefined;
  domain?: string | undefined;
  timezone?: string | undefined;
  contingent?: number | null | undefined;
  retentionDays?: number | null | undefined;
  readOrigins?: readonly string[] | undefined;
  exclusions?: readonly Exclusion[] | undefined;
} & { [Rule in keyof AddressRules]?: boolean | undefined };

export type NewWebsite = {
  domain: string;
  /** If it isn't given, the name is the domain, in the letters that people read. */
  name?: string | undefined;
  timezone: string;
  contingent: number | null;
  /** The ID of a website that this database has lost, which then has its records. The next one if left out. */
  lostId?: number | undefined;
};

export type Websites = {
  add(input: NewWebsite): Promise<{ website: Website; apiKey: string }>;
  list(): Promise<Website[]>;
  find(idOrDomain: string): Promise<Website | undefined>;
  update(id: number, change: WebsiteChange): Promise<Website>;
  cacheRows(): Promise<WebsiteCacheRow[]>;
  /** The highest ID that a website has had. */
  lastId(): Promise<number>;
  /**
   * Takes all websites up to this ID that the database has never had for lost: it is an older copy of the one
   * that had them. Their records are kept, and no new website gets their IDs.
   */
  lose(lastId: number): Promise<void>;
  /** The IDs of lost websites that nobody has added again. */
  lostIds(): Promise<number[]>;
} & Omit<ApiKeys, 'insert'> &
  ShareLinks;

const secretBytes = 32;
/** Those with lower IDs are not given out again either. */
const maxLostAtOnce = 1000;

export function createWebsites(options: { database: Database; box: SecretBox; clock: Clock }): Websites {
  const { box, clock } = options;
  const { db } = options.database;
  const { insert: insertKey, ...keys } = createApiKeys(options);

  return {
    ...keys,
    ...createShareLinks(options),
    async add(input) {
      const domain = parseDomain(input.domain);
      const timezone = parseTimezone(input.timezone);
      const contingent = checkContingent(input.contingent);
      const name = input.name === undefined ? nameAfter(domain) : parseWebsiteName(input.name);
      return await inTransaction(db, async (trx) => {
        const id = input.lostId === undefined ? await countWebsite(trx) : await takeLost(trx, input.lostId);
        const row = await trx
          .insertInto('websites')
          .values({
            id,
            domain,
            name,
            timezone,
            contingent,
            client_id_key_encrypted: box.seal(randomBytes(secretBytes), sealedAt.clientIdKey(id)),
            created_at: clock.now(),
          })
          .onConflict((conflict) => conflict.column('domain').doNothing())
          .returning(websiteColumns)
          .executeTakeFirst();
        if (row === undefined) throw domainTaken(domain);
        await raiseRevision(trx);
        return { website: toWebsite(row), apiKey: await insertKey(trx, id) };
      });
    },

    async list() {
      const rows = await db.selectFrom('websites').select(websiteColumns).orderBy('id').execute();
      return rows.map(toWebsite);
    },

    async find(idOrDomain) {
      const query = db.selectFrom('websites').select(websiteColumns);
      const row = await (/^\d{1,15}$/.test(idOrDomain)
        ? query.where('id', '=', Number(idOrDomain))
        : query.where('domain', '=', parseDomain(idOrDomain))
      ).executeTakeFirst();
      return row && toWebsite(row);
    },

    async update(id, { version, ...change }) {
      const set = {
        ...(change.name !== undefined && { name: parseWebsiteName(change.name) }),
        ...(change.domain !== undefined && { domain: parseDomain(change.domain) }),
        ...(change.timezone !== undefined && { timezone: parseTimezone(change.timezone) }),
        ...(change.contingent !== undefined && { contingent: checkContingent(change.contingent) }),
        ...(change.retentionDays !== undefined && { retention_days: checkRetention(change.retentionDays) }),
        ...(change.ignoreTrailingSlash !== undefined && {
          ignore_trailing_slash: Number(change.ignoreTrailingSlash),
        }),
        ...(change.ignoreCase !== undefined && { ignore_case: Number(change.ignoreCase) }),
        ...(change.ignoreWww !== undefined && { ignore_www: Number(change.ignoreWww) }),
        ...(change.readOrigins !== undefined && {
          read_origins: JSON.stringify(parseReadOrigins(change.readOrigins)),
        }),
        ...(change.exclusions !== undefined && {
          exclusions: JSON.stringify(parseExclusions(change.exclusions)),
        }),
      };
      return await inTransaction(db, async (trx) => {
        const before = await trx
          .selectFrom('websites')
          .select('version')
          .where('id', '=', id)
          .executeTakeFirst();
        if (before === undefined) throw websiteNotFound(id);
        if (version !== undefined && version !== before.version) throw changedMeanwhile();
        if (set.domain !== undefined) {
          const other = await trx
            .selectFrom('websites')
            .select('id')
            .where('domain', '=', set.domain)
            .where('id', '!=', id)
            .executeTakeFirst();
          if (other !== undefined) throw domainTaken(set.domain);
        }
        const row = await trx
          .updateTable('websites')
          .set({ ...set, version: before.version + 1 })
          .where('id', '=', id)
          .returning(websiteColumns)
          .executeTakeFirstOrThrow();
        await raiseRevision(trx);
        return toWebsite(row);
      });
    },

    async cacheRows() {
      // One statement, so that websites and keys are from the same moment.
      const rows = await db
        .selectFrom('websites')
        .leftJoin('api_keys', 'api_keys.website_id', 'websites.id')
        .select(['websites.id', 'domain', 'timezone', 'contingent', 'websites.created_at'])
        .select(['name', 'version', 'retention_days', 'deleting_since', 'read_origins', 'exclusions'])
        .select(['ignore_trailing_slash', 'ignore_case', 'ignore_www'])
        .select(['client_id_key_encrypted', 'key_hash', 'expires_at'])
        .orderBy('websites.id')
        .execute();
      const cached = new Map<number, WebsiteCacheRow>();
      for (const row of rows) {
        let entry = cached.get(row.id);
        if (entry === undefined) {
          const clientIdKey = box.open(row.client_id_key_encrypted, sealedAt.clientIdKey(row.id));
          entry = { website: toWebsite(row), keys: [], clientIdKey };
          cached.set(row.id, entry);
        }
        if (row.key_hash !== null) entry.keys.push({ hash: row.key_hash, expiresAt: row.expires_at });
      }
      return [...cached.values()];
    },

    async lastId() {
      return (await readIds(db)).last;
    },

    async lostIds() {
      return (await readIds(db)).lost;
    },

    async lose(lastId) {
      await inTransaction(db, async (trx) => {
        const { last, lost } = await readIds(trx);
        if (last >= lastId) return;
        const first = Math.max(last + 1, lastId - maxLostAtOnce + 1);
        for (let id = first; id <= lastId; id += 1) lost.push(id);
        await trx
          .updateTable('control_state')
          .set({ last_website_id: lastId, lost_websites: JSON.stringify(lost) })
          .execute();
        await raiseRevision(trx);
      });
    },
  };
}

async function countWebsite(trx: Kysely<Tables>): Promise<number> {
  const row = await trx
    .updateTable('control_state')
    .set((eb) => ({ last_website_id: eb('last_website_id', '+', 1) }))
    .returning('last_website_id')
    .executeTakeFirstOrThrow();
  return row.last_website_id;
}

async function readIds(db: Kysely<Tables>): Promise<{ last: number; lost: number[] }> {
  const row = await db
    .selectFrom('control_state')
    .select(['last_website_id', 'lost_websites'])
    .executeTakeFirstOrThrow();
  return { last: row.last_website_id, lost: JSON.parse(row.lost_websites) as number[] };
}

/** Only a lost website gets its ID again: records of a deleted one may still be in the journal. */
async function takeLost(trx: Kysely<Tables>, id: number): Promise<number> {
  const { lost } = await readIds(trx);
  if (!lost.includes(id)) {
    const which = lost.length === 0 ? 'none is missing' : `missing are ${lost.slice(0, 20).join(', ')}`;
    throw new ControlError(
      'invalid',
      `ID: expected that of a website which the control database has lost (${which}), got ${id}.`,
    );
  }
  const left = JSON.stringify(lost.filter((other) => other !== id));
  await trx.updateTable('control_state').set({ lost_websites: left }).execute();
  return id;
}

function domainTaken(domain: string): ControlError {
  return new ControlError(
    'already-exists',
    `Domain: expected one that no website has yet, got ${domain}, which is already taken. ` +
      `To see its API key, run: trackside website show-key ${domain}`,
  );
}

function changedMeanwhile(): ControlError {
  return new ControlError(
    'conflict',
    'Someone else changed this website in the meantime. Review their changes, then save yours again.',
  );
}

/** The domain in the letters that people read, cut where it is longer than a name may be. */
function nameAfter(domain: string): string {
  const letters = [...(domainToUnicode(domain) || domain)];
  if (letters.length <= maxNameLength) return letters.join('');
  return `${letters.slice(0, maxNameLength - 1).join('')}…`;
}
