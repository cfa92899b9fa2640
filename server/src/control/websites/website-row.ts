import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import type { Selectable } from 'kysely';
import type { AddressRules } from '../../text/address-rules.ts';
import { ControlError } from '../database/control-error.ts';
import type { Tables } from '../database/tables.ts';

export type Website = {
  id: number;
  domain: string;
  timezone: string;
  /** Records per month. Null means unlimited. */
  contingent: number | null;
  createdAt: number;
  name: string;
  /** Grows with every change of the settings. */
  version: number;
  /** How many local days of records are kept. Null means forever. */
  retentionDays: number | null;
  /** When its deletion began. Null for a website that isn't being deleted. */
  deletingSince: number | null;
  /** The origins whose pages may read its statistics with a read token. */
  readOrigins: readonly string[];
  /** Which records are answered, but neither stored nor counted. */
  exclusions: readonly Exclusion[];
} & AddressRules;

export const websiteColumns = [
  ...(['id', 'domain', 'timezone', 'contingent', 'created_at'] as const),
  ...(['name', 'version', 'retention_days', 'deleting_since', 'read_origins', 'exclusions'] as const),
  ...(['ignore_trailing_slash', 'ignore_case', 'ignore_www'] as const),
] as const;

export function toWebsite(
  row: Pick<Selectable<Tables['websites']>, (typeof websiteColumns)[number]>,
): Website {
  const { id, domain, timezone, contingent, name, version } = row;
  return {
    id,
    domain,
    timezone,
    contingent,
    createdAt: row.created_at,
    name,
    version,
    retentionDays: row.retention_days,
    deletingSince: row.deleting_since,
    ignoreTrailingSlash: row.ignore_trailing_slash === 1,
    ignoreCase: row.ignore_case === 1,
    ignoreWww: row.ignore_www === 1,
    readOrigins: JSON.parse(row.read_origins),
    exclusions: JSON.parse(row.exclusions),
  };
}

export function websiteNotFound(id: number): ControlError {
  return new ControlError(
    'not-found',
    `Website ${id}: expected the id of a website, got one that does not exist. ` +
      'To see all websites, run: trackside website list',
  );
}
