import type { WebsiteCache } from '../../control/websites/website-cache.ts';
import type { Store } from '../../store/open-store.ts';
import type { NodeOptions } from '../node-options.ts';
import { joinCluster } from './join-cluster.ts';
import { keepOwnership } from './keep-ownership.ts';
import { killBuilds } from './kill-builds.ts';
import { aloneOnStore, type NodeCluster } from './node-cluster.ts';

type Parts = {
  /** The name that this node's batches carry. */
  name: string;
  websiteCache: Pick<WebsiteCache, 'revision'>;
  store: Pick<Store, 'readFence' | 'raiseFence'>;
  isStoreReady: () => boolean;
  loader: Parameters<typeof joinCluster>[0]['loader'];
};

/** A node whose database and store are both outside may be one of several. Any other has its store to itself. */
export const isOneOfSeveral = ({ control, outsideStore }: Pick<NodeOptions, 'control' | 'outsideStore'>) =>
  control.isShared && outsideStore !== undefined;

export function startCluster(options: NodeOptions, parts: Parts): NodeCluster {
  const { control, outsideStore, clock, onBroken } = options;
  const { name, websiteCache, store, isStoreReady, loader } = parts;
  if (!isOneOfSeveral(options) || outsideStore === undefined) return aloneOnStore(loader.completeUpToMs);
  const log = options.log.child({ part: 'nodes' });
  const ownership = keepOwnership({
    node: name,
    ownership: control.ownership,
    store,
    isStoreReady,
    killBuilds: () => killBuilds(outsideStore),
    clock,
    log,
  });
  return joinCluster({ name, control, websiteCache, ownership, loader, clock, log, onBroken });
}
