/**
 * Runs in its own process, so that making the strangers' requests does not delay the records that are
 * measured.
 */
import { sendOpenLoop } from '../send-open-loop.ts';
import { type StrangerKind, strangers } from './strangers.ts';

export type StrangerOrder = { kind: StrangerKind; origin: string; perSecond: number; seconds: number };

const tell = (message: unknown) => process.send?.(message);

process.once('message', async (order: StrangerOrder) => {
  tell(await sendOpenLoop({ ...order, makeRequest: strangers[order.kind] }));
  process.disconnect?.();
});
tell('ready');
