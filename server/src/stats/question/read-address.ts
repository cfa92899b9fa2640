import type { Filter } from '@trackside/contract/stats/questions.ts';
import { type AddressRules, plainRules, toHost, toPage, toPartOfPage } from '../../text/address-rules.ts';
import { shownHost } from '../../text/shown-host.ts';

/**
 * Returns a filter whose value is in the form that the lists have. So a page is found by every way in which
 * it can be written: `/%C3%A4`, `/%c3%a4` and `/ä`.
 */
export function readAddresses(filter: Filter, rules: AddressRules = plainRules): Filter {
  const isPage = ['page', 'entryPage', 'exitPage'].includes(filter.dimension);
  if (!isPage && filter.dimension !== 'host') return filter;
  if ('contains' in filter) {
    const part = filter.contains;
    return { ...filter, contains: isPage ? toPartOfPage(part, rules) : shownHost(part.toLowerCase()) };
  }
  const read = isPage ? readPage : readHost;
  if ('anyOf' in filter) return { ...filter, anyOf: filter.anyOf.map((text) => read(text, rules)) };
  if ('is' in filter) return { ...filter, is: read(filter.is, rules) };
  return { ...filter, isNot: read(filter.isNot, rules) };
}

/** Returns the path of a page in the form that the lists have. */
export function readPage(path: string, rules: AddressRules = plainRules): string {
  return toPage(path, rules);
}

function readHost(host: string, rules: AddressRules): string {
  return host === '' ? '' : toHost(host, rules);
}
