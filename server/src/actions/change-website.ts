import { isDeepStrictEqual } from 'node:util';
import type { Control } from '../control/open-control.ts';
import { type Website, websiteNotFound } from '../control/websites/website-row.ts';
import type { WebsiteChange } from '../control/websites/websites.ts';
import type { AddressRules } from '../text/address-rules.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

type Setting =
  | 'name'
  | 'domain'
  | 'timezone'
  | 'contingent'
  | 'retentionDays'
  | 'readOrigins'
  | keyof AddressRules;

/**
 * Changes the settings of a website. A change that changes nothing is not saved, and the website keeps its
 * version.
 */
export async function changeWebsite(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { id, ...change }: WebsiteChange & { id: number },
): Promise<Website> {
  return await control.transact(async ({ websites }) => {
    // Read inside the transaction, so that the entry shows what this change replaced, even if another change
    // was made a moment ago.
    const before = await websites.find(String(id));
    if (before === undefined) throw websiteNotFound(id);
    const after = await websites.update(id, change);
    const entries = describeChange(before, after).map(([action, detail]) =>
      websiteEntry(actor, action, after, detail),
    );
    return { result: entries.length === 0 ? before : after, entries };
  });
}

/** Returns an entry for each kind of change, with the old and the new values. */
function describeChange(before: Website, after: Website) {
  const changesOf = (names: readonly Setting[]) =>
    Object.fromEntries(
      names
        .filter((name) => !isDeepStrictEqual(before[name], after[name]))
        .map((name) => [name, { from: before[name], to: after[name] }]),
    );
  const kinds = [
    ['website.changed', changesOf(['name', 'domain', 'timezone'])],
    ['website.contingent-changed', changesOf(['contingent'])],
    ['website.retention-changed', changesOf(['retentionDays'])],
    ['website.addresses-changed', changesOf(['ignoreTrailingSlash', 'ignoreCase', 'ignoreWww'])],
    ['website.read-origins-changed', changesOf(['readOrigins'])],
    ['website.exclusions-changed', exclusionChanges(before, after)],
  ] as const;
  return kinds.filter(([, detail]) => Object.keys(detail).length > 0);
}

/** There can be many rules, so only those that came or went are written down. */
function exclusionChanges(before: Website, after: Website) {
  const without = (rules: Website['exclusions'], others: Website['exclusions']) =>
    rules
      .filter((rule) => !others.some((other) => isDeepStrictEqual(other, rule)))
      .map(({ kind, value }) => `${kind} ${value}`);
  const changes = {
    added: without(after.exclusions, before.exclusions),
    removed: without(before.exclusions, after.exclusions),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, rules]) => rules.length > 0));
}
