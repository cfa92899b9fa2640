import type { StoreCluster } from './cluster/store-cluster.ts';
import type { StoreHosts } from './create-store-hosts.ts';

/** Where the store answers: at the socket of an engine on this machine, or at a ClickHouse outside. */
export type StoreAddress = { socketPath: string } | { outside: OutsideStore };

export type OutsideStore = {
  hosts: StoreHosts;
  user: string;
  password: string;
  /** The certificates that sign those of the hosts. Undefined for those that everybody trusts. */
  caPem: Buffer | undefined;
  /** How much memory one statement may use. */
  maxStatementBytes: number;
  /** Undefined if each host has all rows. */
  cluster: StoreCluster | undefined;
};
