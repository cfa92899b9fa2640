import { clockMode } from './clock-mode.ts';
import { corruptMode } from './corrupt-mode.ts';
import { createKillMode } from './kill-mode.ts';
import type { Mode } from './mode.ts';
import { localHosts, openClusterScene } from './open-cluster-scene.ts';
import { openFullScene } from './open-full-scene.ts';
import { openHosts } from './open-hosts.ts';
import { openSingleScene } from './open-single-scene.ts';
import { whyNoSmallDisk } from './open-small-disk.ts';
import { openStoreScene } from './open-store-scene.ts';
import { powerMode } from './power-mode.ts';

/** All modes, in the order in which a full run takes them. To add one, add a line. */
export const modes: Record<string, Mode> = {
  single: createKillMode({
    about: 'a server alone: its node, its engine and the older Node that launched it are killed',
    share: 4,
    open: ({ folder, seed, options: { ack } }, onFault) =>
      openSingleScene(folder, { workers: 1, seed, ack, onFault }),
  }),
  workers: createKillMode({
    about: 'a server with three processes that take records',
    share: 2,
    open: ({ folder, seed, options: { ack } }, onFault) =>
      openSingleScene(folder, { workers: 3, seed, ack, onFault }),
  }),
  cluster: createKillMode({
    about: 'two nodes or more, PostgreSQL and an engine service; connections are cut as well',
    share: 2,
    open: async ({ folder, options: { network, nodes, ack } }) => {
      const hosts = network === 'namespaces' ? await openHosts(nodes) : localHosts(nodes);
      return await openClusterScene(folder, { hosts, ack });
    },
  }),
  store: createKillMode({
    about: 'a server whose store is slow, fails, goes away for hours, and answers or stores too late',
    share: 1,
    open: ({ folder }) => openStoreScene(folder),
  }),
  full: createKillMode({
    about: 'a server whose file system becomes full, to its last byte or inode; needs root',
    share: 1,
    whyNot: whyNoSmallDisk,
    open: ({ folder, seed, say }, onFault) => openFullScene(folder, { seed, onFault, say }),
  }),
  clock: clockMode,
  power: powerMode,
  corrupt: corruptMode,
};
