import { domainToASCII } from 'node:url';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { type AddressRules, plainRules, toHost, toPage, toPartOfPage } from '../../text/address-rules.ts';
import { shownHost } from '../../text/shown-host.ts';

/**
 * Returns a filter whose value is in the form that the lists have. So a page is found by every way in which
 * it can be written: `/%C3%A4`, `/%c3%a4` and `/ä`. Sources and referrers keep hosts as they came, and one of
 * them may just be called so, so they are found by both ways of writing a host.
 */
export function readAddresses(filter: Filter, rules: AddressRules = plainRules): Filter {
  if (filter.dimension === 'source' || filter.dimension === 'referrer') return alsoEncoded(filter);
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

function alsoEncoded(filter: Filter): Filter {
  if ('contains' in filter || 'isNot' in filter) return filter;
  const { is, anyOf, ...key } = filter as { is?: string; anyOf?: readonly string[] } & Filter;
  const texts = anyOf ?? [is!];
  const added = texts.map(encodeHost).filter((text) => !texts.includes(text));
  return added.length === 0 ? filter : ({ ...key, anyOf: [...texts, ...new Set(added)] } as Filter);
}

/** Writes the host of an address, or a text that is a host, as browsers send it: `xn--bcher-kva.example`. */
function encodeHost(text: string): string {
  return text.replace(
    /^(https?:\/\/)?([^/?#\s]*[^\0-~][^/?#\s]*)/i,
    (all, scheme: string = '', host: string) => {
      const encoded = domainToASCII(host);
      return encoded === '' || !encoded.includes('.') ? all : `${scheme}${encoded}`;
    },
  );
}
