import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../operator-error.ts';
import type { StoreClient } from '../create-store-client.ts';
import { readShards } from './check-layout.ts';
import { lookEveryMs, markSql } from './divided-websites.ts';

/** By then, every node has looked at the marks several times. */
const knownToAllMs = 5 * lookEveryMs;

/** Whether the new rows of a website go to all shards. Refuses a store that has no others. */
export async function isDivided(client: StoreClient, websiteId: number): Promise<boolean> {
  const { cluster, divided } = client;
  if (cluster === undefined || !(await readShards(client, cluster)).includes(','))
    throw new OperatorError('Expected a store on several shards, got one with a single shard.');
  return (await divided.list()).includes(websiteId);
}

/**
 * Lets the new rows of a website go to all shards, by visitor. Those that it has stay where they are. First,
 * all nodes begin to ask all shards: one that asks only the website's own shard would not find the new rows.
 * If this ends in between, the website is asked about on all shards, which is right too, and the next call
 * goes on.
 */
export async function divideWebsite(client: StoreClient, websiteId: number): Promise<void> {
  if (await isDivided(client, websiteId)) return;
  await client.command({ query: markSql(websiteId, 'on_all_shards') });
  await delay(knownToAllMs);
  await client.command({ query: markSql(websiteId, 'by_visitor') });
  client.divided.forget();
}
