import { createCachedReader } from '../../concurrency/bounded-cache.ts';
import { hashApiKey } from '../../control/websites/hash-api-key.ts';
import type { ApiKey } from '../../control/websites/website-cache.ts';
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
 * Finds an API key and its website. Keys are looked up by their hash, so that the time of the comparison does
 * not tell how much of a key was right.
 */
export function createAuthenticate(
  apiKeys: ReadonlyMap<string, ApiKey>,
  keyUsedAtMs: Map<string, number>,
): (key: string | undefined, nowMs: number) => ApiKey | Refusal {
  // The same few keys are sent again and again. Their hashes are remembered, never whether a key was right.
  const hashOf = createCachedReader({
    maxEntries: rememberedKeys,
    maxChars: longestRememberedKey,
    read: hashApiKey,
  });

  return (key, nowMs) => {
    const keyHash = hashOf(key ?? '');
    const known = apiKeys.get(keyHash);
    if (known !== undefined && (known.expiresAt === null || nowMs < known.expiresAt)) {
      keyUsedAtMs.set(keyHash, nowMs);
      return known;
    }
    const hint = hints.find(([shape]) => key !== undefined && shape.test(key))?.[1];
    return { refused: 'unauthorized', message: hint === undefined ? message : `${message}, ${hint}` };
  };
}
