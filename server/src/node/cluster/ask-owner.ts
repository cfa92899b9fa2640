import { setTimeout as delay } from 'node:timers/promises';
import type { WantedKind } from '../../control/nodes/wanted-builds.ts';
import type { Control } from '../../control/open-control.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Span } from '../../stats/days/read-days.ts';
import type { BuildOwner } from '../../stats/days/shared-queue.ts';
import { leaseMs } from './keep-ownership.ts';

const lookMs = 100;
/** Longer than a question waits for its days. */
const patienceMs = 60_000;
const renewMs = 1_000;

const isLong = (kind: WantedKind) => kind === 'all' || kind === 'afresh';

/** Asks the owner for days through control. Whoever asks for the same days meanwhile waits for the same answer. */
export function createAskOwner(control: Pick<Control, 'ownership' | 'wantedBuilds'>): BuildOwner['askFor'] {
  const { ownership, wantedBuilds } = control;
  const underWay = new Map<string, Promise<void>>();

  async function ask(websiteId: number, span: Span, kind: WantedKind): Promise<void> {
    const id = await wantedBuilds.add({ websiteId, ...span, kind });
    let renewedMs = 0;
    for (let waitedMs = 0; waitedMs - renewedMs < patienceMs; waitedMs += lookMs) {
      await delay(lookMs);
      if (await wantedBuilds.isDone(id)) return;
      // Building all days can take long. It is waited for as long as someone is there to do it.
      if (isLong(kind) && waitedMs % renewMs === 0 && (await ownership.owner(leaseMs)) !== undefined) {
        await wantedBuilds.renew(id);
        renewedMs = waitedMs;
      }
    }
    await wantedBuilds.remove(id);
    throw new OperatorError(
      'The server that calculates days has not done so in time. ' +
        'Run `trackside node list` to see whether there is one, and try again.',
    );
  }

  return (websiteId, span, kind) => {
    const key = `${websiteId} ${span.from} ${span.to} ${kind}`;
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const asked = ask(websiteId, span, kind).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
}
