/**
 * Up to when answers have said that everything is counted, by website. No later answer may say less, unless
 * past days can't be built in time.
 */
export type ToldTimes = {
  read(websiteId: number): number | Promise<number>;
  raise(websiteId: number, ms: number): void | Promise<void>;
};

/** For a process that answers all questions itself. */
export function createToldTimes(): {
  read(websiteId: number): number;
  raise(websiteId: number, ms: number): void;
} {
  const told = new Map<number, number>();
  const read = (websiteId: number) => told.get(websiteId) ?? 0;
  return { read, raise: (websiteId, ms) => void told.set(websiteId, Math.max(read(websiteId), ms)) };
}
