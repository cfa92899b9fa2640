import type { Channel } from '@trackside/contract/stats/channels.ts';
import type { SourceKind } from './known-sources.ts';

/** What is known about how a visitor arrived. The tags are in lowercase. */
export type Trail = {
  medium: string;
  campaignSource: string;
  campaign: string;
  hasPaidClickId: boolean;
  /** The kind of the source; undefined for an unknown source. */
  kind: SourceKind | undefined;
  isFromInside: boolean;
  /** Whether a UTM tag or a click identifier shows that the visit was sent from somewhere. */
  isTagged: boolean;
  /** Whether a referrer shows another website or an app. */
  hasOutsideReferrer: boolean;
  /** Whether a tag names the source. */
  hasNamedSource: boolean;
};

// These read texts that strangers choose, but a tag has at most 256 characters, and each expression is tried
// at one place or in one pass.
const priceModel = /(?:^|[^a-z])cp[a-z](?![a-z])/;
const paidWords = new Set([
  'ppc',
  'ppa',
  'retargeting',
  'remarketing',
  'sem',
  'ad',
  'ads',
  'native',
  'programmatic',
  'advertising',
  'sponsored',
]);
const paidMedium = /^paid|[-_. ](?:paid|ads?)$/;
const paidFor = /^paid[-_. ]?(search|social|video|shopping)/;
/** Sources that people write together with "ads": `facebookads`. */
const advertisers = new Set([
  'google',
  'facebook',
  'fb',
  'ig',
  'instagram',
  'meta',
  'bing',
  'microsoft',
  'tiktok',
  'linkedin',
  'twitter',
  'x',
  'reddit',
  'snap',
  'snapchat',
  'pinterest',
  'amazon',
  'apple',
  'yandex',
  'youtube',
]);
const paidSource = /.[-_. ]ads$/;
const displayMedium = /^(?:display|banner|expandable|interstitial)$/;
const emailMedium = /^(?:e[-_ ]?mails?|mails?|newsletters?|mailings?)$/;
const searchMedium = /^(?:organic|search|organic[-_ ]?search|seo)$/;
const socialMedium = /^(?:social|social[-_ ]?(?:media|network|post|organic)|organic[-_ ]?social|sm|smm)$/;
const audioMedium = /^(?:audio|podcast)$/;
const referralMedium = /^(?:referral|app|link)$/;
/** "shop" as a word or at the start of one, or after an e as in "eshop", but not as in "workshop". */
const shopCampaign = /(?:^|[^a-df-z])shop|shopping/;

type Judged = Trail & {
  isPaid: boolean;
  /** What a paid visit was paid for: what a medium such as paid_social says, else the kind of the source. */
  paidKind: SourceKind | undefined;
};

/** The first rule that applies decides. docs/channels.md has the same list in words. */
const rules: readonly [Channel, (trail: Judged) => boolean][] = [
  ['crossNetwork', (t) => t.campaign.includes('cross-network')],
  ['display', (t) => displayMedium.test(t.medium)],
  ['paidShopping', (t) => t.isPaid && (t.paidKind === 'shopping' || shopCampaign.test(t.campaign))],
  ['paidSearch', (t) => t.isPaid && t.paidKind === 'search'],
  ['paidSocial', (t) => t.isPaid && t.paidKind === 'social'],
  ['paidVideo', (t) => t.isPaid && t.paidKind === 'video'],
  ['display', (t) => t.medium === 'cpm'],
  ['paid', (t) => t.isPaid],
  ['email', (t) => emailMedium.test(t.medium)],
  ['affiliates', (t) => t.medium.startsWith('affiliate')],
  ['audio', (t) => audioMedium.test(t.medium)],
  ['sms', (t) => t.medium === 'sms' || t.campaignSource === 'sms'],
  ['push', (t) => t.medium.endsWith('push') || t.medium.includes('notification')],
  ['ai', (t) => t.kind === 'ai'],
  ['shopping', (t) => t.kind === 'shopping' || shopCampaign.test(t.campaign)],
  ['social', (t) => t.kind === 'social' || socialMedium.test(t.medium)],
  ['video', (t) => t.kind === 'video' || t.medium.includes('video')],
  ['search', (t) => t.kind === 'search' || searchMedium.test(t.medium)],
  ['email', (t) => t.kind === 'email'],
  ['push', (t) => t.medium.includes('mobile') || t.campaignSource === 'firebase'],
  ['internal', (t) => t.isFromInside && !t.isTagged],
  ['referral', (t) => t.hasOutsideReferrer || referralMedium.test(t.medium)],
  ['referral', (t) => t.hasNamedSource && t.medium === ''],
  ['unassigned', (t) => t.isTagged],
];

/** The rules that need neither a tag nor a known source. Most records are views within a visit. */
const plainRules = rules.filter(([channel]) => channel === 'internal' || channel === 'referral');

export function chooseChannel(trail: Trail): Channel {
  if (!trail.isTagged && trail.kind === undefined)
    return firstOf(plainRules, { ...trail, isPaid: false, paidKind: undefined });
  return firstOf(rules, { ...trail, isPaid: isPaid(trail), paidKind: paidKind(trail) });
}

function firstOf(some: typeof rules, trail: Judged): Channel {
  for (const [channel, applies] of some) {
    if (applies(trail)) return channel;
  }
  return 'direct';
}

function isPaid({ hasPaidClickId, kind, medium, campaignSource }: Trail): boolean {
  return (
    hasPaidClickId ||
    kind === 'ads' ||
    paidWords.has(medium) ||
    priceModel.test(medium) ||
    paidMedium.test(medium) ||
    isPaidSource(campaignSource)
  );
}

function isPaidSource(campaignSource: string): boolean {
  if (!campaignSource.endsWith('ads')) return campaignSource === 'adwords';
  return paidSource.test(campaignSource) || advertisers.has(campaignSource.slice(0, -'ads'.length));
}

function paidKind({ kind, medium }: Trail): SourceKind | undefined {
  return (paidFor.exec(medium)?.[1] as SourceKind | undefined) ?? kind;
}
