import type { ServerProcess } from '../support/spawn-server.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Part } from './scene.ts';
import { servingPids, untilNobodyServes } from './serving-pids.ts';

/** A server that is run by a launcher: an older Node, which starts the pinned one and ends with it. */
export function createLaunchedParts(server: ServerProcess, dataDir: string) {
  const nodePid = () => servingPids(dataDir).find((pid) => pid !== server.pid());
  const shared = {
    launch: async () => {
      if (server.hasEnded()) server.launch();
    },
    askToStop: () => void server.end('SIGTERM'),
  };
  const launcher: Part = {
    ...shared,
    async kill() {
      await server.end('SIGKILL');
      await untilNobodyServes(dataDir);
    },
  };
  const node: Part = {
    ...shared,
    async kill() {
      const pid = nodePid();
      // The launcher hasn't started it yet.
      if (pid === undefined) return await launcher.kill();
      killIfThere(pid);
      await waitFor('the launcher to end with its server', server.hasEnded);
      await untilNobodyServes(dataDir);
    },
  };
  return { parts: { node, launcher }, nodePid };
}

export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended on its own.
  }
}
