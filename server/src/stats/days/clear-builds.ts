import type { WebsiteStore } from '../../store/of-website.ts';

/** Removes builds that are not current any more. */
export async function clearBuilds(
  store: WebsiteStore,
  builds: readonly { build: string; isOpen: boolean }[],
): Promise<void> {
  for (const { build, isOpen } of builds) {
    // Numbers only get into the text: a partition cannot be a bound parameter.
    const number = BigInt(build);
    for (const table of ['visits', 'rollups']) {
      await store.run(
        isOpen
          ? { query: `alter table open_${table} drop partition (${store.websiteId}, ${number})` }
          : {
              query: `alter table closed_${table} delete where website_id = {website_id:UInt32} and build = ${number}`,
            },
      );
    }
  }
}
