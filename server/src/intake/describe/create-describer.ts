import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import type { Device } from './agent-names.ts';
import { type Channel, chooseChannel } from './choose-channel.ts';
import { createBotNamer } from './create-bot-namer.ts';
import { createPageReader } from './create-page-reader.ts';
import { createQueryReader, mask, type QueryFacts } from './create-query-reader.ts';
import { createReferrerReader, type ReferrerFacts } from './create-referrer-reader.ts';
import { createSourceFinder } from './create-source-finder.ts';
import { cutText } from './cut-text.ts';
import { type AgentFacts, describeAgent } from './describe-agent.ts';
import { bareHost, domainHost, isWithin } from './host-names.ts';
import type { KnownSource } from './known-sources.ts';

export type { Channel, Device };

export type Described = AgentFacts & {
  /** Lower case, with a port only where it is not the scheme's own. */
  host: string;
  path: string;
  query: string;
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
  utmTerm: string;
  utmContent: string;
  referrer: string;
  referrerHost: string;
  /** A readable name; '' for direct and internal. */
  source: string;
  channel: Channel;
  isBot: boolean;
  /** '' when not a bot. */
  bot: string;
};

export type DescriberInput = { userAgent: string; pageUrl: string; referrer: string | null; domain: string };

const maxAgentChars = 512;

/** Turns what a record says about the visit into the dimensions of the statistics. Nothing private comes out. */
export function createDescriber(options: { cacheEntries: number }): (input: DescriberInput) => Described {
  const { cacheEntries } = options;
  const sources = createSourceFinder();
  const readQuery = createQueryReader({ cacheEntries });
  const readPage = createPageReader({ cacheEntries, readQuery });
  const readReferrer = createReferrerReader({ cacheEntries, readQuery, sources });
  const readAgent = createAgentReader(cacheEntries);
  const domainHosts = createBoundedCache<string>({ maxEntries: cacheEntries });

  function ownHost(domain: string): string {
    const known = domainHosts.get(domain);
    if (known !== undefined) return known;
    const host = domainHost(domain);
    domainHosts.set(domain, host);
    return host;
  }

  function readOrigin(
    page: QueryFacts,
    pageHost: string,
    referrer: ReferrerFacts | undefined,
    domain: string,
  ) {
    const { tags, clickId } = page;
    const isFromInside =
      referrer !== undefined &&
      (isWithin(referrer.comparableHost, ownHost(domain)) || referrer.comparableHost === bareHost(pageHost));
    const outside = isFromInside ? undefined : referrer;
    const isTagged =
      clickId !== undefined ||
      tags.utm_source + tags.utm_medium + tags.utm_campaign + tags.utm_term + tags.utm_content !== '';
    // On the website's own links `ref` and `source` mean a place on a page, not another site.
    const tag = tags.utm_source || (isFromInside ? '' : tags.ref || tags.source);
    const tagged = tag === '' || tag === mask ? undefined : nameTag(tag);
    const clicked = clickId === undefined ? undefined : sources.byName(clickId.source);

    const source = tagged?.name ?? outside?.source ?? clickId?.source ?? '';
    const channel = chooseChannel({
      medium: tags.utm_medium.toLowerCase(),
      campaignSource: tags.utm_source.toLowerCase(),
      hasPaidClickId: clickId?.isPaid === true,
      kind: tagged?.kind ?? outside?.kind ?? clicked?.kind,
      isFromInside,
      isTagged,
      hasOutsideSource: outside !== undefined || tagged !== undefined,
    });
    return { source, channel };
  }

  function nameTag(tag: string): { name: string; kind?: KnownSource['kind'] } {
    return sources.byTag(tag) ?? { name: tag };
  }

  return ({ userAgent, pageUrl, referrer, domain }) => {
    const page = readPage(pageUrl);
    const from = referrer === null || referrer === '' ? undefined : readReferrer(referrer);
    const { source, channel } = readOrigin(page, page.hostname, from, domain);
    const agent = readAgent(userAgent);
    return {
      host: page.host,
      path: page.path,
      query: page.query,
      utmSource: page.tags.utm_source,
      utmMedium: page.tags.utm_medium,
      utmCampaign: page.tags.utm_campaign,
      utmTerm: page.tags.utm_term,
      utmContent: page.tags.utm_content,
      referrer: from?.referrer ?? '',
      referrerHost: from?.host ?? '',
      source,
      channel,
      browser: agent.browser,
      browserVersion: agent.browserVersion,
      os: agent.os,
      osVersion: agent.osVersion,
      device: agent.device,
      isBot: agent.bot !== '',
      bot: agent.bot,
    };
  };
}

function createAgentReader(cacheEntries: number): (userAgent: string) => AgentFacts & { bot: string } {
  const cache = createBoundedCache<AgentFacts & { bot: string }>({ maxEntries: cacheEntries });
  const nameBot = createBotNamer();
  return (userAgent) => {
    // What tells agents apart stands at the front; the rest is room for attacks on the patterns.
    const head = cutText(userAgent, maxAgentChars);
    const known = cache.get(head);
    if (known !== undefined) return known;
    const agent = { ...describeAgent(head), bot: nameBot(head) };
    cache.set(head, agent);
    return agent;
  };
}
