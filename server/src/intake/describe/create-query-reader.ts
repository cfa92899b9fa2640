import { createCachedReader } from '../../concurrency/bounded-cache.ts';
import { type ClickId, silentClickIds, tellingClickIds } from './click-ids.ts';
import { cutEncoded, cutText } from './cut-text.ts';
import { decodePercent } from './decode-percent.ts';
import { isSecretName } from './is-secret-name.ts';
import { looksOpaque, looksPrivate } from './looks-private.ts';

export const mask = '***';

const maxQueryChars = 2048;
const maxTagChars = 256;
const maxCachedNameChars = 64;

const tagNames = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'source',
  'ref',
] as const;
type TagName = (typeof tagNames)[number];

export type QueryFacts = {
  /** Without `?`, without click identifiers, and with private values masked. */
  query: string;
  /** Decoded; '' if absent. */
  tags: Readonly<Record<TagName, string>>;
  clickId: ClickId | undefined;
};

type NameFacts = {
  tag: TagName | undefined;
  clickId: ClickId | undefined;
  fate: 'keep' | 'drop' | 'mask value' | 'mask name';
};

/**
 * Creates a reader that gets everything from a query string in one pass: the cleaned text, the tags, and the
 * click identifier.
 */
export function createQueryReader(options: { cacheEntries: number }): (search: string) => QueryFacts {
  const tagByName = new Map<string, TagName>(tagNames.map((name) => [name, name]));
  const clickIdByName = new Map<string, ClickId>(Object.entries(tellingClickIds));
  const silentNames = new Set(silentClickIds);
  const noTags: QueryFacts['tags'] = Object.fromEntries(
    tagNames.map((name) => [name, '']),
  ) as QueryFacts['tags'];
  const noQuery: QueryFacts = { query: '', tags: noTags, clickId: undefined };

  function learnName(rawName: string): NameFacts {
    const name = decodeForm(rawName).trim();
    const lower = name.toLowerCase();
    const tag = tagByName.get(lower);
    const clickId = clickIdByName.get(lower);
    if (clickId !== undefined || silentNames.has(lower)) return { tag, clickId, fate: 'drop' };
    if (looksPrivate(rawName) || looksOpaque(name)) return { tag, clickId, fate: 'mask name' };
    return { tag, clickId, fate: isSecretName(name) ? 'mask value' : 'keep' };
  }

  const nameFacts = createCachedReader({
    maxEntries: options.cacheEntries,
    maxChars: maxCachedNameChars,
    read: learnName,
  });

  return (search) => {
    if (search.length <= 1) return noQuery;
    const kept: string[] = [];
    let tags: Record<TagName, string> | undefined;
    let clickId: ClickId | undefined;

    for (const pair of search.slice(1).split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const rawName = equals === -1 ? pair : pair.slice(0, equals);
      const rawValue = equals === -1 ? '' : pair.slice(equals + 1);
      const { tag, clickId: found, fate } = nameFacts(rawName);

      // A paid click says more than a shared link, wherever it is in the query.
      if (found !== undefined && (clickId === undefined || (found.isPaid && !clickId.isPaid)))
        clickId = found;
      if (fate === 'drop') continue;
      if (fate === 'mask name') {
        kept.push(mask);
        continue;
      }
      const isMasked =
        rawValue !== '' && (fate === 'mask value' || looksPrivate(rawValue) || looksOpaque(rawValue));
      kept.push(isMasked ? `${rawName}=${mask}` : pair);

      if (tag !== undefined && rawValue !== '') {
        tags ??= { ...noTags };
        if (tags[tag] === '') tags[tag] = isMasked ? mask : readTag(rawValue);
      }
    }
    return { query: cutEncoded(kept.join('&'), maxQueryChars), tags: tags ?? noTags, clickId };
  };
}

function readTag(rawValue: string): string {
  const decoded = decodeForm(rawValue);
  // Control characters can only come from escapes.
  const value = decoded === rawValue ? rawValue : decoded.replace(/\p{Cc}+/gu, ' ').trim();
  return cutText(value, maxTagChars).trimEnd();
}

function decodeForm(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodePercent(spaced) : spaced;
}
