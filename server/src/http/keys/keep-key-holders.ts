import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeyHolder, KeyHolders, SeenHolder } from '../../control/nodes/key-holders.ts';
import type { AskHolders, ClaimAnswer } from '../../intake/idempotency/idempotency-index.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import { createHolderAsker } from './create-holder-asker.ts';
import { keepLeftKeys } from './keep-left-keys.ts';
import { untilOthersKnow } from './until-others-know.ts';

const beatMs = 500;
/** A node that doesn't answer is known within 5 seconds, even if nobody sends a repeat. */
const beatsPerProbe = 10;
/** A list that is older may lack a node that has begun to take records since. */
const freshMs = 5_000;
/** A new node takes records when all others must have seen it, or know that their list is old. */
const introducedMs = freshMs + 500;
/**
 * How long another node may take to answer, how long a list may wait for the keys of nodes that have left, and
 * how long a node that stops waits for the database.
 */
const usualLimits = { answerMs: 2_000, followMs: 1_000, leaveMs: 5_000 };
/** How long a node that stops waits for others to read its keys. It answers them in the meantime. */
const readMs = 3_000;

/** Another node, and whether this one gets answers from it. */
export type KnownHolder = SeenHolder & { isSilent: boolean };

/** Keeps the list of nodes that may have taken a record, and asks them. */
export function keepKeyHolders(parts: {
  self: KeyHolder;
  secret: string;
  holders: KeyHolders;
  /** Called with the other nodes whenever they were read. */
  onOthers: (others: readonly SeenHolder[]) => void;
  clock: Clock;
  log: Log;
  limits?: typeof usualLimits;
}) {
  const { self, secret, holders, clock, log, limits = usualLimits } = parts;
  const { answerMs, followMs, leaveMs } = limits;
  const stopping = new AbortController();
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const askers = new Map<string, ReturnType<typeof createHolderAsker>>();
  const left = keepLeftKeys({ holders, log });
  let others: readonly SeenHolder[] = [];
  let seenMs = Number.NEGATIVE_INFINITY;
  let isFailing = false;

  /** The list is read after this node has said that it is there, and before it says so again. */
  async function beat(): Promise<void> {
    const beganMs = clock.monotonicMs();
    if (!(await holders.beat(self))) {
      log.warn('this node was retired: registering again');
      await holders.register(self);
    }
    const list = await holders.list();
    others = list.filter(({ name }) => name !== self.name);
    seenMs = beganMs;
    const known = new Set(others.map(idOf));
    for (const id of askers.keys()) if (!known.has(id)) askers.delete(id);
    parts.onOthers(others);
    // A database that takes longer must not make the list old.
    await Promise.race([left.follow(others), delay(followMs, undefined, { ref: false })]);
  }

  async function run(): Promise<void> {
    for (let beats = 0; !stopping.signal.aborted; beats += 1) {
      // It takes up to 2 seconds, and the list must not wait for that.
      if (beats % beatsPerProbe === 0)
        for (const holder of others) if (holder.leftAt === null) void askerOf(holder).probe();
      await delay(beatMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        await beat();
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'the other nodes cannot be seen: repeats are refused');
        isFailing = true;
      }
    }
  }

  function askerOf(holder: KeyHolder): ReturnType<typeof createHolderAsker> {
    const known = askers.get(idOf(holder));
    if (known !== undefined) return known;
    const asker = createHolderAsker({ from: self.name, secret, agent, holder, answerMs });
    askers.set(idOf(holder), asker);
    return asker;
  }

  const ask: AskHolders = async (claim) => {
    // Whoever took a record before it was sent again was introduced before, and is in a list of this age.
    const isFresh = clock.monotonicMs() - seenMs <= freshMs;
    const said = await Promise.all(
      others.map((holder) => left.answer(holder, claim) ?? askerOf(holder).ask(claim)),
    );
    return combine(isFresh ? said : [...said, 'away']);
  };

  let running: Promise<void> | undefined;
  async function stopBeating(): Promise<void> {
    stopping.abort();
    await running;
  }

  return {
    ask,
    others: (): KnownHolder[] =>
      others.map((holder) => ({
        ...holder,
        isSilent: holder.leftAt === null && (askers.get(idOf(holder))?.isSilent() ?? false),
      })),
    /** Settles when every other node asks this one, so that it may take records. */
    async introduce(): Promise<void> {
      const { wasKnown } = await holders.register(self);
      await holders.forgetOld();
      await beat();
      running = run();
      if (wasKnown) return;
      if (others.some(({ leftAt }) => leftAt === null)) {
        log.info('waiting until the other nodes know this one');
        await untilOthersKnow({ holders, self: self.name, clock, withinMs: introducedMs });
      }
      await holders.noteKnown(self.name);
    },
    /** Leaves the hashes of all keys to the others. This node must not take a record anymore. */
    async leave(hashes: Buffer): Promise<void> {
      const written = stopBeating().then(() => holders.leave(self.name, hashes));
      // What is written later does no harm: this node takes no records in any case.
      const late = delay(leaveMs, undefined, { ref: false }).then((): never => {
        throw new Error(`expected the database to answer within ${leaveMs} ms`);
      });
      await Promise.race([written, late]);
      await untilOthersKnow({ holders, self: self.name, clock, withinMs: readMs });
    },
    async stop(): Promise<void> {
      await stopBeating();
      agent.destroy();
    },
  };
}

const idOf = ({ name, address }: KeyHolder): string => `${name} ${address}`;

/** One that has the record is enough. One that doesn't answer may have it. */
function combine(said: readonly (ClaimAnswer | 'away')[]): ClaimAnswer | 'away' {
  const order = ['taken', 'other-body', 'away', 'busy'] as const;
  return order.find((one) => said.includes(one)) ?? 'free';
}
