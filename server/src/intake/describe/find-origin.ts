import type { Channel } from '@trackside/contract/stats/channels.ts';
import { chooseChannel } from './choose-channel.ts';
import { mask } from './create-query-reader.ts';
import type { FoundSource, SourceFinder } from './create-source-finder.ts';
import type { SourceKind } from './known-sources.ts';

/** What a record says about where the visitor came from. */
export type Arrival = {
  /** As they came, decoded; '' if absent. */
  tags: {
    readonly utm_source: string;
    readonly utm_medium: string;
    readonly utm_campaign: string;
    readonly utm_term: string;
    readonly utm_content: string;
    readonly ref: string;
    readonly source: string;
  };
  /** The referrer, if there is one: its source, and whether it is the website itself. */
  referrer: { source: string; kind: SourceKind | undefined; isInside: boolean } | undefined;
  click: { source: string; kind: SourceKind | undefined; isPaid: boolean } | undefined;
};

/** `source` is a readable name, or '' if nothing names one. */
export type Origin = { source: string; channel: Channel };

/** Finds source and channel. Tags take precedence over the referrer, because someone set them on purpose. */
export function findOrigin({ tags, referrer, click }: Arrival, sources: SourceFinder): Origin {
  const isFromInside = referrer?.isInside === true;
  const outside = isFromInside ? undefined : referrer;
  // On the website's own links, `ref` and `source` refer to a place on a page, not to another site.
  const tag = tags.utm_source || (isFromInside ? '' : tags.ref || tags.source);
  const tagged = tag === '' || tag === mask ? undefined : nameTag(tag, sources);
  const channel = chooseChannel({
    medium: tags.utm_medium.toLowerCase(),
    campaignSource: tags.utm_source.toLowerCase(),
    campaign: tags.utm_campaign.toLowerCase(),
    hasPaidClickId: click?.isPaid === true,
    kind: tagged?.kind ?? outside?.kind ?? click?.kind,
    isFromInside,
    isTagged: click !== undefined || hasCampaignTag(tags),
    hasOutsideReferrer: outside !== undefined,
    hasNamedSource: tagged !== undefined,
  });
  return { source: tagged?.name ?? outside?.source ?? click?.source ?? '', channel };
}

export function hasCampaignTag(tags: Arrival['tags']): boolean {
  return tags.utm_source + tags.utm_medium + tags.utm_campaign + tags.utm_term + tags.utm_content !== '';
}

function nameTag(tag: string, sources: SourceFinder): { name: string; kind?: FoundSource['kind'] } {
  return sources.byTag(tag) ?? { name: tag };
}
