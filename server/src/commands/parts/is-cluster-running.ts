import type { Control } from '../../control/open-control.ts';
import { awayMs } from '../../node/cluster/describe-away.ts';

/** Whether a server of this database is running that shares its store with others, here or elsewhere. */
export async function isClusterRunning({ nodes }: Pick<Control, 'nodes'>): Promise<boolean> {
  return (await nodes.list()).some(
    ({ sharesStore, hasLeft, silentMs }) => sharesStore && !hasLeft && silentMs < awayMs,
  );
}
