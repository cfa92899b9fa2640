import { CommandError, type CommandInput } from '../command.ts';
import { withStore } from '../with-store.ts';
import { type Finding, fault, ok } from './finding.ts';

/** Asks the running engine, or starts one when no server runs. */
export async function checkEngine(input: CommandInput): Promise<Finding[]> {
  try {
    return await withStore(input, async (store, isServerRunning) => {
      const startedMs = performance.now();
      const [row] = await store.query<{ version: string }>({ query: 'select version() as version' });
      const ms = (performance.now() - startedMs).toFixed(1);
      const where = isServerRunning ? 'in the running server' : 'started for this check; no server runs';
      return [ok(`ClickHouse ${row?.version} answered in ${ms} ms (${where})`)];
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (!(error instanceof CommandError)) throw error;
    const todo =
      'records are kept in the journal meanwhile; check permissions and disk of the store folder and the log; ' +
      'if it is damaged: trackside repair';
    return [fault(why, todo)];
  }
}
