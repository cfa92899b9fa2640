import type { LiveScene } from '#api/shapes.ts';

export type LatestRecord = LiveScene['latest'][number];
export type KeyedRecord = LatestRecord & { key: string };

/**
 * Gives each record a key that it keeps from scene to scene, so that new records can be told from those that
 * moved down. Identical records are numbered from the oldest, so that newer ones don't change the numbers of
 * older ones.
 */
export function keyLatest(latest: readonly LatestRecord[]): KeyedRecord[] {
  const counts = new Map<string, number>();
  return latest
    .toReversed()
    .map((record) => {
      const { at, page, event, country, browser, device } = record;
      // The source is not part of the key. It is the first source of the visit within half an hour and can
      // change.
      const text = JSON.stringify([at, page, event, country, browser, device]);
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      return { ...record, key: `${count} ${text}` };
    })
    .toReversed();
}
