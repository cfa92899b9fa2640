import type { SeenNode } from '../../control/nodes/nodes.ts';
import type { ToldTimes } from '../../control/nodes/told-times.ts';
import type { BuildOwner } from '../../stats/days/shared-queue.ts';

/** What a node has to know about the others that share its store. */
export type NodeCluster = {
  /** Everything that any node acknowledged by this time is in the store, as far as this node knows. */
  completeUpToMs(): number;
  /** The same, asked now, so that no answer of another node is ahead of it. */
  learnCompleteMs(): Promise<number>;
  /** What answers of all nodes have said. Undefined if this node is alone on its store. */
  told: ToldTimes | undefined;
  /** Whether this node does what only one may do. */
  isOwner(): boolean;
  /** The number of this ownership. Undefined on a node that is not the owner. */
  fence(): number | undefined;
  /** Who builds days. Undefined if this node is alone on its store. */
  builds: BuildOwner | undefined;
  /** The nodes that removals and answers wait for, as they were seen last. */
  others(): readonly SeenNode[];
  /** Settles when no other node brings in rows that are unwanted by this revision of control. */
  untilAllKnow(revision: number): Promise<void>;
  /** Whether other nodes have loaded everything that they received by this time. */
  haveAllLoaded(ms: number): Promise<boolean>;
  /** The time of the oldest records that any other node's journal holds. */
  holdsFromMs(): number;
  /** Makes the node known. Nothing may be acknowledged before. */
  join(): Promise<void>;
  /** `isLoaded` says whether the store has everything, so that nobody has to wait for this node. */
  stop(end: { isLoaded: boolean }): Promise<void>;
};

/** The only node on its store. */
export function aloneOnStore(completeUpToMs: () => number): NodeCluster {
  return {
    completeUpToMs,
    learnCompleteMs: async () => completeUpToMs(),
    told: undefined,
    isOwner: () => true,
    fence: () => undefined,
    builds: undefined,
    others: () => [],
    untilAllKnow: async () => {},
    haveAllLoaded: async () => true,
    holdsFromMs: () => Number.POSITIVE_INFINITY,
    join: async () => {},
    stop: async () => {},
  };
}
