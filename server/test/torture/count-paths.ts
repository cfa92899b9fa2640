import type { Scene } from './scene.ts';

/** Returns how often each path of a website is in the store. */
export async function countPaths({ store }: Scene, id: number): Promise<Map<string, number>> {
  const rows = await store.query<{ path: string; times: number }>({
    query:
      'select path, toUInt32(count()) as times from records where website_id = {id:UInt32} group by path',
    params: { id },
  });
  return new Map(rows.map(({ path, times }) => [path, times]));
}
