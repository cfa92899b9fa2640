import type { ApiKey } from '../../control/websites/website-cache.ts';

type OfWebsite = {
  /** Records that come with it have no note about their key. */
  main: string | undefined;
  /** The key that is to take its place. */
  next: string | undefined;
  /** Since when all records have a note. Undefined if none was ever without. */
  notedSinceMs: number | undefined;
};

/**
 * Knows with which key most records of a website come, so that these need no note about it. The main key
 * changes together with a checkpoint. Until then, all records have a note, and those without are on disk: after
 * a crash, a record without a note must not be taken for one of the new key.
 */
export function createMainKeys(parts: {
  known: readonly { websiteId: number; key: string }[];
  monotonicMs: () => number;
  /** How long the oldest record has waited for the disk. */
  oldestUnansweredMs: () => number;
}) {
  const websites = new Map<number, OfWebsite>(
    parts.known.map(({ websiteId, key }) => [websiteId, { main: key, next: undefined, notedSinceMs: 0 }]),
  );
  const changing = new Set<number>();

  return {
    of: (websiteId: number): string | undefined => websites.get(websiteId)?.main,
    /** Whether a record needs no note about its key. */
    isMain({ website, id, expiresAt }: ApiKey): boolean {
      let known = websites.get(website.id);
      if (known?.main === id) return true;
      if (expiresAt === null) {
        if (known === undefined) {
          known = { main: undefined, next: undefined, notedSinceMs: undefined };
          websites.set(website.id, known);
        }
        known.next = id;
        changing.add(website.id);
      }
      return false;
    },
    /** Returns the keys that are the main ones from this checkpoint on. */
    take(): { websiteId: number; key: string }[] {
      const ready: { websiteId: number; key: string }[] = [];
      for (const websiteId of changing) {
        const known = websites.get(websiteId)!;
        if (known.main !== undefined) {
          known.main = undefined;
          known.notedSinceMs = parts.monotonicMs();
        } else if (isNoted(known)) ready.push({ websiteId, key: known.next! });
      }
      return ready;
    },
    /** The checkpoint with these keys is written. */
    confirm(keys: readonly { websiteId: number; key: string }[]): void {
      for (const { websiteId, key } of keys) {
        const known = websites.get(websiteId)!;
        known.main = key;
        if (known.next === key) changing.delete(websiteId);
      }
    },
  };

  /** Whether all records without a note are on disk. */
  function isNoted({ notedSinceMs }: OfWebsite): boolean {
    return notedSinceMs === undefined || parts.oldestUnansweredMs() < parts.monotonicMs() - notedSinceMs;
  }
}
