import type { WebsiteCache } from '../../control/websites/website-cache.ts';
import type { RemovalParts } from '../../removal/removal-parts.ts';
import type { NodeCluster } from './node-cluster.ts';

/** What removals need of the loaders of all nodes. */
export function withOtherNodes(
  own: RemovalParts['loader'],
  cluster: Pick<NodeCluster, 'untilAllKnow' | 'haveAllLoaded'>,
  websiteCache: Pick<WebsiteCache, 'revision'>,
): RemovalParts['loader'] {
  return {
    receivedTo: own.receivedTo,
    isLoadedTo: async (ends, receivedByMs) =>
      (await own.isLoadedTo(ends, receivedByMs)) && (await cluster.haveAllLoaded(receivedByMs)),
    async batchEnded() {
      const revision = websiteCache.revision();
      await own.batchEnded();
      await cluster.untilAllKnow(revision);
    },
  };
}
