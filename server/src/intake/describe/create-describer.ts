import type { Channel } from '@trackside/contract/stats/channels.ts';
import { createCachedReader } from '../../concurrency/bounded-cache.ts';
import type { Device } from './agent-names.ts';
import { createBotNamer } from './create-bot-namer.ts';
import { createPageReader, type PageFacts } from './create-page-reader.ts';
import { createQueryReader } from './create-query-reader.ts';
import { createReferrerReader, type ReferrerFacts } from './create-referrer-reader.ts';
import { createSourceFinder } from './create-source-finder.ts';
import { cutText } from './cut-text.ts';
import { type AgentFacts, describeAgent } from './describe-agent.ts';
import { findOrigin, type Origin } from './find-origin.ts';
import { domainHost, isWithin } from './host-names.ts';

export type { Device };

export type Described = AgentFacts & {
  /** In lower case, with the port unless it is the scheme's default. */
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
  /** '' for a person. */
  bot: string;
};

export type DescriberInput = { userAgent: string; pageUrl: string; referrer: string | null; domain: string };

const maxAgentChars = 512;
/** The longest name that the domain name system allows. */
const maxDomainChars = 255;

/**
 * Creates a function that turns a record's details about the visit into the dimensions of the statistics. The
 * result holds nothing private.
 */
export function createDescriber(options: { cacheEntries: number }): (input: DescriberInput) => Described {
  const { cacheEntries } = options;
  const sources = createSourceFinder();
  const readQuery = createQueryReader({ cacheEntries });
  const readPage = createPageReader({ cacheEntries, readQuery });
  const readReferrer = createReferrerReader({ cacheEntries, readQuery, sources });
  const readAgent = createAgentReader(cacheEntries);
  const ownHost = createCachedReader({
    maxEntries: cacheEntries,
    maxChars: maxDomainChars,
    read: domainHost,
  });

  function readOrigin(page: PageFacts, referrer: ReferrerFacts | undefined, domain: string): Origin {
    const { tags, clickId } = page;
    const isInside =
      referrer !== undefined &&
      (isWithin(referrer.comparableHost, ownHost(domain)) || referrer.comparableHost === page.comparableHost);
    return findOrigin(
      {
        tags,
        referrer: referrer && { source: referrer.source, kind: referrer.kind, isInside },
        click: clickId && { ...clickId, kind: sources.byName(clickId.source)?.kind },
      },
      sources,
    );
  }

  return ({ userAgent, pageUrl, referrer, domain }) => {
    const page = readPage(pageUrl);
    const from = referrer === null || referrer === '' ? undefined : readReferrer(referrer);
    const { source, channel } = readOrigin(page, from, domain);
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
  const nameBot = createBotNamer();
  const readHead = createCachedReader({
    maxEntries: cacheEntries,
    maxChars: maxAgentChars,
    read: (head) => ({ ...describeAgent(head), bot: nameBot(head) }),
  });
  // The start of a user agent is enough to identify it. The rest would only be room for attacks on the
  // patterns.
  return (userAgent) =>
    readHead(userAgent.length <= maxAgentChars ? userAgent : cutText(userAgent, maxAgentChars));
}
