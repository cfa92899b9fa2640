import type { Control } from '../control/open-control.ts';
import { type Website, websiteNotFound } from '../control/websites/website-row.ts';
import type { WebsiteChange } from '../control/websites/websites.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

type Setting = 'name' | 'domain' | 'timezone' | 'contingent' | 'retentionDays';

/** Changes the settings of a website. What changes nothing is not a change: the website keeps its version. */
export async function changeWebsite(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { id, ...change }: WebsiteChange & { id: number },
): Promise<Website> {
  return await control.transact(async ({ websites }) => {
    // Read here, so that the entry tells what this change replaced, whatever was changed a moment ago.
    const before = await websites.find(String(id));
    if (before === undefined) throw websiteNotFound(id);
    const after = await websites.update(id, change);
    const entries = describeChange(before, after).map(([action, detail]) =>
      websiteEntry(actor, action, after, detail),
    );
    return { result: entries.length === 0 ? before : after, entries };
  });
}

/** One for each kind of change, with what it was and what it is. */
function describeChange(before: Website, after: Website) {
  const changesOf = (names: readonly Setting[]) =>
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
  return kinds.filter(([, detail]) => Object.keys(detail).length > 0);
}
