import { measureRecords } from '../../store/move/list-contents.ts';
import { CommandError } from '../command.ts';
import type { MoveState } from './move-state.ts';
import type { Sides } from './with-sides.ts';

/**
 * Refuses a target with records that don't come from this installation: they would be removed as surplus. If
 * it is empty, it is ours from now on.
 */
export async function refuseOtherRecords({ from, to }: Sides, state: MoveState): Promise<void> {
  await to.migrate();
  const uuids = [await from.uuid(), await to.uuid()];
  if (uuids[0] === uuids[1])
    throw new CommandError('Both sides are the same store. Check TRACKSIDE_CLICKHOUSE_URL.');
  const { records } = await measureRecords(to.forMove());
  if (records > 0 && !state.stores.includes(uuids[1]!))
    throw new CommandError(
      `The target already has ${records.toLocaleString('en-US')} records that this move did not copy. ` +
        'Choose a store that is empty.',
    );
  state.stores = [...new Set([...state.stores, ...uuids])];
}
