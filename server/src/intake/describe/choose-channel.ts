import type { SourceKind } from './known-sources.ts';

/** The way by which a visitor came. */
export type Channel = 'direct' | 'search' | 'social' | 'email' | 'paid' | 'referral' | 'ai' | 'internal';

export type Trail = {
  /** utm_medium and utm_source in lower case. */
  medium: string;
  campaignSource: string;
  hasPaidClickId: boolean;
  /** What the source is known to be; undefined for an unknown one. */
  kind: SourceKind | undefined;
  isFromInside: boolean;
  /** Whether a UTM tag or a click identifier says that the visit was sent from somewhere. */
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

export function chooseChannel(trail: Trail): Channel {
  for (const [channel, applies] of rules) {
    if (applies(trail)) return channel;
  }
  return 'direct';
}
