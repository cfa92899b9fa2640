import type { Store } from '../../../store/open-store.ts';
import type { CommandInput } from '../../command.ts';
import { readOutsideStore } from '../../parts/read-outside-store.ts';
import { findOwnerBesideRoot } from '../../parts/refuse-root.ts';
import { StoreAway, withStore } from '../../parts/with-store.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** Short, because other work on the store is reported rather than waited for. */
const inUseMs = 3_000;

const kept = 'records are safe in the journal in the meantime';

/** Asks the running engine for its version, or starts an engine if no server runs. */
export async function checkEngine(input: CommandInput): Promise<Finding[]> {
  const { dataDir, clickhouseUrl } = input.config;
  const uid = process.getuid?.() ?? -1;
  const owner = await findOwnerBesideRoot({ dataDir, uid, writesBesideServer: false });
  if (owner !== undefined && clickhouseUrl === undefined)
    return [warning('not checked, because root would start it', `sudo -u ${owner} trackside doctor`)];
  const ask = async (store: Store, isServerRunning: boolean) => {
    const startedMs = performance.now();
    const [row] = await store.query<{ version: string }>({ query: 'select version() as version' });
    const ms = (performance.now() - startedMs).toFixed(1);
    return [ok(`ClickHouse ${row?.version} answered in ${ms} ms (${whereOf(input, isServerRunning)})`)];
  };
  try {
    return await withStore(input, ask, { inUseMs });
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    return [toFinding(error)];
  }
}

function whereOf({ config }: CommandInput, isServerRunning: boolean): string {
  const outside = readOutsideStore(config);
  if (outside !== undefined) return outside.hosts.urls.join(', ');
  return isServerRunning ? 'in the running server' : 'started for this check, because no server is running';
}

/** Uses the message without its advice, which is to run `doctor`. */
function toFinding({ why, says }: StoreAway): Finding {
  if (why === 'in-use') return warning(says, `nothing is wrong with the store; ${kept}`);
  if (why === 'cannot-start')
    return fault(says, `${kept}; raise the limits on open files, processes and memory, then check the log`);
  if (why === 'no-answer') return fault(says, `${kept}; check the server's log`);
  const check = `${kept}; check the permissions and the disk of the store folder, and the server's log`;
  return fault(says, `${check}; if the store is damaged, run trackside repair`);
}
