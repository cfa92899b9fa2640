import { isIP } from 'node:net';
import type { Channel } from '@trackside/contract/stats/channels.ts';
import { bareHost } from '@trackside/contract/tracking/bare-host.ts';
import type { StoredOrigin } from '../../records/stored-origin.ts';
import { createQueryReader } from './create-query-reader.ts';
import { addressHost, nameReferrer } from './create-referrer-reader.ts';
import { createSourceFinder } from './create-source-finder.ts';
import { type Arrival, findOrigin, hasCampaignTag, type Origin } from './find-origin.ts';
import { domainHost, isWithin } from './host-names.ts';
import type { SourceKind } from './known-sources.ts';

/** The channels of ads, and the kind of source that each stands for. */
const paidChannels: ReadonlyMap<string, SourceKind | undefined> = new Map<Channel, SourceKind | undefined>([
  ['crossNetwork', undefined],
  ['display', undefined],
  ['paid', undefined],
  ['paidShopping', 'shopping'],
  ['paidSearch', 'search'],
  ['paidSocial', 'social'],
  ['paidVideo', 'video'],
]);
/** The channels that an unpaid click identifier can lead to. */
const clickedChannels: ReadonlyMap<string, SourceKind> = new Map<Channel, SourceKind>([
  ['search', 'search'],
  ['social', 'social'],
]);

/**
 * Creates a function that finds source and channel of stored records again, by the rules of this version.
 * Click identifiers are not stored. What they said is concluded from the stored source and channel, where
 * tags and referrer do not explain them.
 */
export function createOriginReteller(options: {
  cacheEntries: number;
}): (stored: StoredOrigin, domain: string) => Origin {
  const sources = createSourceFinder();
  const readQuery = createQueryReader(options);

  function readArrival(stored: StoredOrigin, domain: string): Arrival {
    const { ref, source } = readQuery(`?${stored.refs}`).tags;
    const tags = {
      utm_source: stored.utmSource,
      utm_medium: stored.utmMedium,
      utm_campaign: stored.utmCampaign,
      utm_term: stored.utmTerm,
      utm_content: stored.utmContent,
      ref,
      source,
    };
    if (stored.referrerHost === '') return { tags, referrer: undefined, click: undefined };
    const named = nameReferrer(stored.referrerProtocol, stored.referrerHost, sources);
    const isInside = cameFromInside(stored, domain, hasCampaignTag(tags));
    return { tags, referrer: { ...named, isInside }, click: undefined };
  }

  function concludeClick(stored: StoredOrigin, arrival: Arrival, found: Origin): Arrival['click'] {
    const isOnlyClick = found.source === '' && stored.source !== '';
    const clicked = isOnlyClick ? sources.byName(stored.source)?.kind : undefined;
    // If tags also reveal an ad, the click adds nothing to them.
    if (paidChannels.has(stored.channel))
      return {
        source: stored.source,
        kind: paidChannels.get(stored.channel) ?? clicked,
        isPaid: true,
      };
    if (isOnlyClick) return { source: stored.source, kind: clicked, isPaid: false };
    // A referrer that is known now, or that was mistaken for a part of a search engine, speaks for itself.
    const kind = clickedChannels.get(stored.channel);
    if (kind === undefined || arrival.referrer?.kind !== undefined || found.channel === stored.channel)
      return undefined;
    return { source: '', kind, isPaid: false };
  }

  return (stored, domain) => {
    const arrival = readArrival(stored, domain);
    const found = findOrigin(arrival, sources);
    const click = concludeClick(stored, arrival, found);
    return click === undefined ? found : findOrigin({ ...arrival, click }, sources);
  };
}

/** The website may have had another domain, so the original result counts where nothing is tagged. */
function cameFromInside(stored: StoredOrigin, domain: string, isTagged: boolean): boolean {
  if (stored.channel === 'internal') return true;
  if (stored.channel === 'referral' && !isTagged) return false;
  const host = bareHost(URL.parse(`http://${stored.host}`)?.hostname ?? stored.host);
  const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0;
  const ownHost = isAddress ? addressHost : host;
  return isWithin(stored.referrerHost, domainHost(domain)) || stored.referrerHost === ownHost;
}
