import { ClickHouseError } from '@clickhouse/client';
import type { StatementRunner } from './remove-rows.ts';
import type { WebsiteStore } from './website-store.ts';

/** The comments of statements that build days begin with this, so that they are found among those that run. */
export const buildMark = 'trackside-build-';

/** The highest fence that an owner of builds has had. 0 if there was none. */
export async function readFence({
  query,
  cluster,
}: Pick<StatementRunner, 'query' | 'cluster'>): Promise<number> {
  const [row] = await query<{ highest: number }>({
    query: 'select toUInt64(max(fence)) as highest from build_fences where number = 0',
    ...(cluster && { settings: cluster.onOneShard }),
    isQuick: true,
  });
  return Number(row?.highest ?? 0);
}

/** From here on, statements of earlier owners that begin are refused. */
export async function raiseFence(
  { run }: Pick<StatementRunner, 'run'>,
  fence: number,
  node: string,
): Promise<void> {
  await run({
    query: 'insert into build_fences (fence, node) select {fence:UInt64}, {node:String}',
    params: { fence, node },
  });
}

/** This node doesn't own the builds of days, or no longer does. */
export class NotOwner extends Error {
  override name = 'NotOwner';

  constructor() {
    super('another node builds the days now');
  }
}

/** ClickHouse's code of an error that a statement itself asks for. */
const thrown = '395';
const isStillOwner = 'throwIf((select max(fence) from build_fences where number = 0) > {fence:UInt64}) = 0';

const parts = /^(\s*insert into \w+(?:\s*\([^)]*\))?)(\s*(?:select|with)\s[\s\S]*)$/;

/**
 * A store whose INSERTs are refused by the store itself once another node is the owner. A process that was
 * frozen in the middle of a build can't know that when it wakes up. `fence` is undefined on a node that is not
 * the owner.
 */
export function fenceBuilds(store: WebsiteStore, fence: number | undefined): WebsiteStore {
  return {
    ...store,
    withSignal: (signal) => fenceBuilds(store.withSignal(signal), fence),
    async run(question) {
      if (!question.query.trimStart().startsWith('insert ')) return await store.run(question);
      const [, head, select] = parts.exec(question.query) ?? [];
      if (head === undefined) throw new Error('expected INSERT … SELECT, which can be fenced');
      if (fence === undefined) throw new NotOwner();
      try {
        await store.run({
          ...question,
          query: `${head} select * from (${select}) where ${isStillOwner}`,
          params: { ...question.params, fence },
          settings: { ...question.settings, log_comment: `${buildMark}${fence}` },
        });
      } catch (error) {
        throw error instanceof ClickHouseError && error.code === thrown ? new NotOwner() : error;
      }
    },
  };
}
