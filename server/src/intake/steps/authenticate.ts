import { createCachedReader } from '../../concurrency/bounded-cache.ts';
import { hashApiKey } from '../../control/websites/hash-api-key.ts';
import type { CachedWebsite, WebsiteCache } from '../../control/websites/website-cache.ts';
import type { Refusal } from '../refusal.ts';

const message = 'Unauthorized: send the API key of the website as the value of the Authorization header';
const hints: readonly [RegExp, string][] = [
  [/^bearer\b/i, 'without "Bearer" in front'],
  [/^basic\b/i, 'without "Basic" in front'],
  [/^authorization\s*:/i, 'without "Authorization:" in front of it'],
];

const rememberedKeys = 2000;
const longestRememberedKey = 64;

/**
 * Finds the website of an API key. Keys are looked up by their hash, so that neither the comparison nor its
 * time tells how much of a key was right.
 */
export function createAuthenticate(
  websiteCache: Pick<WebsiteCache, 'findByKeyHash'>,
  keyUse: { note(keyHash: string): void },
): (key: string | undefined) => CachedWebsite | Refusal {
  // The same few keys come again and again; their hashes are remembered, never whether they were right.
  const hashOf = createCachedReader({
    maxEntries: rememberedKeys,
    maxChars: longestRememberedKey,
    read: hashApiKey,
  });

  return (key) => {
    const keyHash = hashOf(key ?? '');
    const website = websiteCache.findByKeyHash(keyHash);
    if (website !== undefined) {
      keyUse.note(keyHash);
      return website;
    }
    const hint = hints.find(([shape]) => key !== undefined && shape.test(key))?.[1];
    return { refused: 'unauthorized', message: hint === undefined ? message : `${message}, ${hint}` };
  };
}
