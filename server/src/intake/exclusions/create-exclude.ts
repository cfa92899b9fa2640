import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import { bareHost } from '@trackside/contract/tracking/bare-host.ts';
import { createCachedReader } from '../../concurrency/bounded-cache.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import { shownHost } from '../../text/shown-host.ts';
import { cleanPath } from '../describe/clean-path.ts';
import { mask } from '../describe/create-query-reader.ts';
import type { Valid } from '../steps/validate.ts';
import type { Excluded } from '../verdict.ts';
import { compileExclusions, type ExcludablePage, type FindExclusion } from './compile-exclusions.ts';

const maxCachedUrlChars = 512;

/** Says whether a rule of its website excludes a valid record. */
export type Exclude = (website: CachedWebsite, valid: Valid) => Excluded | undefined;

/**
 * Creates the step that looks for a rule of the website that a record matches. The rules are compiled with the
 * first record after a change. A website without rules costs one comparison.
 */
export function createExclude(options: { cacheEntries: number }): Exclude {
  // A change of any website makes new objects of all of them.
  const compiled = new WeakMap<CachedWebsite, FindExclusion>();
  const readPage = createCachedReader({
    maxEntries: options.cacheEntries,
    maxChars: maxCachedUrlChars,
    read: readExcludablePage,
  });

  return (website, valid) => {
    if (website.exclusions.length === 0) return undefined;
    let find = compiled.get(website);
    if (find === undefined) {
      find = compileExclusions(website.exclusions, website);
      compiled.set(website, find);
    }
    const { Browser, Page } = valid.body.Metrics;
    const excluded = find({
      address: Browser.IP,
      userAgent: Browser.UserAgent,
      event: valid.kind === 'event' ? valid.body.Name : null,
      get page() {
        return readPage(Page.Absolute);
      },
    });
    return excluded && { excluded, message: spellExclusion(excluded) };
  };
}

function readExcludablePage(pageUrl: string): ExcludablePage {
  const url = URL.parse(pageUrl);
  return {
    host: bareHost(url?.hostname ?? ''),
    path: cleanPath(url?.pathname ?? '', mask),
    queryNames: new Set([...(url?.searchParams.keys() ?? [])].map((name) => name.toLowerCase())),
  };
}

/** The network is left out, because recent requests show this to others, and a network can be one address. */
function spellExclusion({ kind, value }: Exclusion): string {
  if (kind === 'network') return 'Excluded: the IP address is in a network that this website excludes';
  if (kind === 'host') return `Excluded: the host matches ${value}`;
  if (kind === 'path') return `Excluded: the path matches ${value}`;
  if (kind === 'query') return `Excluded: the query has the parameter ${value}`;
  if (kind === 'event') return `Excluded: the name of the event matches ${value}`;
  if (kind === 'user-agent') return `Excluded: the user agent contains ${value}`;
  return `Excluded: ${shownHost(value)} is not one of the website's own hosts`;
}
