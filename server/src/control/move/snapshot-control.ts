import type { Log } from '../../log.ts';
import type { JournalPosition } from '../../records/journal-position.ts';
import type { Clock } from '../../time/clock.ts';
import { inSnapshot } from '../database/in-snapshot.ts';
import { toInstallation } from '../database/key-check.ts';
import type { Tables } from '../database/tables.ts';
import { openMigrated } from '../open-control.ts';
import { clearedTables, copiedTables } from './copied-tables.ts';
import { copyTable } from './copy-control.ts';
import type { ControlPlace } from './peek-control.ts';

/** Salts would link visitors for as long as the copy is kept. Nobody needs the others after a restore. */
const leftOut: readonly (keyof Tables)[] = ['salts', 'sessions', 'sign_in_failures'];

const tables = copiedTables.filter((name) => !leftOut.includes(name));

export type ControlSnapshot = {
  installation: string;
  /** Up to which place of its journal each node has counted its records. */
  positions: Map<string, JournalPosition>;
};

/** Copies a control database as it is at one moment into a new file. The one that is copied stays in use. */
export async function snapshotControl(options: {
  from: ControlPlace;
  to: ControlPlace;
  clock: Clock;
  log: Log;
}): Promise<ControlSnapshot> {
  const { clock, log } = options;
  const from = await openMigrated({ ...options.from, clock, log });
  try {
    const to = await openMigrated({ ...options.to, clock, log });
    try {
      return await to.db.transaction().execute(async (into) => {
        for (const table of clearedTables) await into.deleteFrom(table).execute();
        return await inSnapshot(from.db, async (outOf) => {
          for (const table of tables) await copyTable(outOf, into, table);
          const state = await outOf.selectFrom('control_state').select('key_check').executeTakeFirstOrThrow();
          const positions = await outOf.selectFrom('usage_positions').selectAll().execute();
          return {
            installation: toInstallation(state.key_check),
            positions: new Map(
              positions.map(({ node, segment, position }) => [node, { segment, offset: position }]),
            ),
          };
        });
      });
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}
