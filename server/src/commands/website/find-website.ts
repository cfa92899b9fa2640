import { ControlError } from '../../control/database/control-error.ts';
import type { Control } from '../../control/open-control.ts';
import type { Website } from '../../control/websites/website-row.ts';

/** Finds a website by id or domain. */
export async function findWebsite(control: Control, idOrDomain: string): Promise<Website> {
  const website = await control.websites.find(idOrDomain);
  if (website !== undefined) return website;
  throw new ControlError(
    'not-found',
    `Expected the id or domain of a website, got "${idOrDomain}". ` +
      'To see all websites, run: trackside website list',
  );
}
