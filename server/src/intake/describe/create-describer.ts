import { createCachedReader } from '../../concurrency/bounded-cache.ts';
import type { Device } from './agent-names.ts';
import { createBotNamer } from './create-bot-namer.ts';
import { createPageReader, type PageFacts } from './create-page-reader.ts';
import { createQueryReader, mask } from './create-query-reader.ts';
import { createReferrerReader, type ReferrerFacts } from './create-referrer-reader.ts';
import { createSourceFinder } from './create-source-finder.ts';
import { cutText } from './cut-text.ts';
import { type AgentFacts, describeAgent } from './describe-agent.ts';
import { domainHost } from './host-names.ts';
import type { KnownSource, SourceKind } from './known-sources.ts';

export type { Device };

/** The channel through which a visitor came. */
export type Channel = 'direct' | 'search' | 'social' | 'email' | 'paid' | 'referral' | 'ai' | 'internal';

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

  function readOrigin(page: PageFacts, referrer: ReferrerFacts | undefined, domain: string) {
    const { tags, clickId } = page;
    const isFromInside =
      referrer !== undefined &&
      (isWithin(referrer.comparableHost, ownHost(domain)) || referrer.comparableHost === page.comparableHost);
    const outside = isFromInside ? undefined : referrer;
    const isTagged =
      clickId !== undefined ||
      tags.utm_source + tags.utm_medium + tags.utm_campaign + tags.utm_term + tags.utm_content !== '';
    // On the website's own links, `ref` and `source` refer to a place on a page, not to another site.
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

type Trail = {
  /** utm_medium and utm_source in lower case. */
  medium: string;
  campaignSource: string;
  hasPaidClickId: boolean;
  /** The kind of the source; undefined for an unknown source. */
  kind: SourceKind | undefined;
  isFromInside: boolean;
  /** Whether a UTM tag or a click identifier shows that the visit was sent from somewhere. */
  isTagged: boolean;
  hasOutsideSource: boolean;
};

const paidMedium =
  /^(?:cp[acmv]|cp[acmv][-_. ].*|pp[ac]|paid.*|.*[-_. ]paid|display|banner|retargeting|remarketing|sem|ads?|.*[-_. ]ads?|native|programmatic|interstitial|expandable|advertising|sponsored)$/;
const paidSource =
  /^(?:adwords|.+[-_. ]ads|(?:google|facebook|fb|ig|instagram|meta|bing|microsoft|tiktok|linkedin|twitter|x|reddit|snap(?:chat)?|pinterest|amazon|apple|yandex|youtube)ads)$/;
const emailMedium = /^(?:e[-_ ]?mails?|mail|newsletters?|mailing)$/;
const searchMedium = /^(?:organic|search|organic[-_ ]search|seo)$/;
const socialMedium = /^(?:social|social[-_ ]?(?:media|network|post|organic)|organic[-_ ]?social|sm|smm)$/;

/** The first rule that applies decides. */
const rules: readonly [Channel, (trail: Trail) => boolean][] = [
  ['paid', (t) => t.hasPaidClickId || paidMedium.test(t.medium) || paidSource.test(t.campaignSource)],
  ['email', (t) => emailMedium.test(t.medium) || t.kind === 'email'],
  ['ai', (t) => t.kind === 'ai'],
  ['search', (t) => t.kind === 'search' || searchMedium.test(t.medium)],
  ['social', (t) => t.kind === 'social' || socialMedium.test(t.medium)],
  ['internal', (t) => t.isFromInside && !t.isTagged],
  ['referral', (t) => t.hasOutsideSource || t.isTagged],
  ['direct', () => true],
];

function chooseChannel(trail: Trail): Channel {
  for (const [channel, applies] of rules) {
    if (applies(trail)) return channel;
  }
  return 'direct';
}

/** Returns whether `host` is `domain` or one of its subdomains. Both must be bare hosts. */
function isWithin(host: string, domain: string): boolean {
  if (host === domain) return true;
  return domain !== '' && host.endsWith(domain) && host.charCodeAt(host.length - domain.length - 1) === 46;
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
