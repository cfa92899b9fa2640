import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job, Mode } from './mode.ts';
import { noteFaults } from './report.ts';
import { runTorture } from './run-torture.ts';
import type { Scene } from './scene.ts';

/** A mode that opens a system, and then kills its parts in rounds. */
export function createKillMode({
  open,
  ...mode
}: Omit<Mode, 'run'> & { open: (job: Job, onFault: (fault: string) => void) => Promise<Scene> }): Mode {
  return {
    ...mode,
    async run(job) {
      const { seed, kills, forMs, options, say } = job;
      const faults: string[] = [];
      const scene = await open(job, (fault) => faults.push(fault));
      try {
        const load = { limit: 400, clients: options.clients, pauseMs: 10 };
        const report = await runTorture({ scene, seed, kills, forMs, ...load, say });
        noteFaults(report, faults);
        return report;
      } finally {
        writeFileSync(join(job.folder, 'output.log'), scene.output());
        await scene.end();
      }
    },
  };
}
