import { readDamage } from '../../../damage/damage-log.ts';
import { dataFolder } from '../../../files/data-folder.ts';
import type { CommandInput } from '../../command.ts';
import { findServer, findWaitingServer } from '../../parts/find-server.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/**
 * Reports what the running server says about itself. It may know what cannot be seen from here, such as
 * records that have yet to be loaded.
 */
export async function checkServer({ config }: Pick<CommandInput, 'config'>): Promise<Finding[]> {
  const { isRunning, isStarting, origin, health } = await findServer(config);
  if (!isRunning) return [judgeWaiting(await findWaitingServer(config))];
  if (isStarting) return [ok('starting')];
  if (health === undefined) {
    return [warning('running, but /health does not respond', 'check its log; if it hangs, restart it')];
  }
  const damage = await readDamage(dataFolder(config.dataDir).damage);
  const known = new Set(damage.map(({ id }) => id));
  // Damage and the engine have their own checks.
  const others = health.degraded.filter(
    ({ part, damage: id }) => part !== 'engine' && (id === undefined || !known.has(id)),
  );
  const says = others.map(({ part, why }) => `${part}: ${why}`);
  if (!health.isAccepting) {
    const todo = 'it accepts records again once this is fixed';
    return [fault(`refusing records. ${says.join('. ')}`, todo)];
  }
  if (says.length === 0) return [ok(`accepting records at ${origin}`)];
  return says.map((line) => warning(line, 'records are still accepted'));
}

function judgeWaiting(origin: string | undefined): Finding {
  if (origin === undefined) return ok('not running on this folder');
  return fault(
    `running at ${origin}, but refusing all requests until a restore into this folder is finished`,
    'run `trackside restore` again if it was interrupted; the server then starts automatically',
  );
}
