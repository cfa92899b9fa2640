import type { LiveScene } from '#api/shapes.ts';

export type LatestRecord = LiveScene['latest'][number];
export type KeyedRecord = LatestRecord & { key: string };

/**
 * Gives each record a key that it keeps from scene to scene, so that what is new can be told from what has
 * moved down. Records that are alike in everything are counted from the oldest on: newer ones do not change
 * the number of older ones.
 */
export function keyLatest(latest: readonly LatestRecord[]): KeyedRecord[] {
  const counts = new Map<string, number>();
  return latest
    .toReversed()
    .map((record) => {
      const { at, page, event, country, browser, device } = record;
      // Not by its source: that is the first one of the visit within half an hour, and can become another.
      const text = JSON.stringify([at, page, event, country, browser, device]);
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      return { ...record, key: `${count} ${text}` };
    })
    .toReversed();
}
