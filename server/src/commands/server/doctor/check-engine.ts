import type { Store } from '../../../store/open-store.ts';
import type { CommandInput } from '../../command.ts';
import { StoreAway, withStore } from '../../parts/with-store.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** Short, because somebody else's work on the store is reported and not waited for. */
const inUseMs = 3_000;

const kept = 'records are kept in the journal meanwhile';

/** Asks the running engine for its version, or starts an engine if no server runs. */
export async function checkEngine(input: CommandInput): Promise<Finding[]> {
  const ask = async (store: Store, isServerRunning: boolean) => {
    const startedMs = performance.now();
    const [row] = await store.query<{ version: string }>({ query: 'select version() as version' });
    const ms = (performance.now() - startedMs).toFixed(1);
    const where = isServerRunning ? 'in the running server' : 'started for this check; no server runs';
    return [ok(`ClickHouse ${row?.version} answered in ${ms} ms (${where})`)];
  };
  try {
    return await withStore(input, ask, { inUseMs });
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    return [toFinding(error)];
  }
}

/** Uses the message without its advice, which is to run `doctor`. */
function toFinding({ why, says }: StoreAway): Finding {
  if (why === 'in-use') return warning(says, `nothing is wrong with the store; ${kept}`);
  if (why === 'cannot-start')
    return fault(says, `${kept}; raise the limits on open files, processes and memory, then see the log`);
  if (why === 'no-answer') return fault(says, `${kept}; see the log of the server`);
  const check = `${kept}; check permissions and disk of the store folder and the log`;
  return fault(says, `${check}; if it is damaged: trackside repair`);
}
