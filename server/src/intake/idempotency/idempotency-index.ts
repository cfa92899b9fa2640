import { crc32 } from 'node:zlib';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import type { Journal } from '../../journal/open-journal.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import type { Received } from '../receipts/receipts.ts';
import { internalFault, malformedAs, type Refusal } from '../refusal.ts';
import type { RecordKind } from '../steps/validate.ts';
import type { OnVerdict } from '../verdict.ts';
import { type IdempotencyKey, idempotencyHash } from './idempotency-hash.ts';
import { KeyMemory, rememberedMs } from './key-memory.ts';
import { recallKeys } from './recall-keys.ts';

/** A record as it came: who sent it, and what. */
export type Sent = {
  website: CachedWebsite;
  key: IdempotencyKey;
  kind: RecordKind;
  body: Buffer;
  /** Whether the client says that it has never sent the record before. */
  isFirst: boolean;
};

/**
 * The first request with a key. Its hash is written to disk with the record, and its verdict applies to all
 * repeats.
 */
export type FirstAttempt = Claim & {
  /** Whether another node may have taken the record. Then its answer comes first. */
  mustAsk: boolean;
  /** The other nodes have said that they don't have the record. False if it was left to one of them. */
  goOn: () => boolean;
  answer: OnVerdict;
  /** The record failed on its way, so its repeats are refused. Does nothing after an answer. */
  giveUp: () => void;
};

/** What a node asks of the others: to leave it the record with this key. */
export type Claim = { hash: Buffer; bodyCrc: number };

/**
 * `free`: the other node doesn't have the record, and won't take it without asking. `taken`: it is on disk
 * there. `busy`: another node is about to take it.
 */
export type ClaimAnswer = 'free' | 'taken' | 'other-body' | 'busy';

/** `away`: a node that may have taken the record doesn't answer. */
export type AskHolders = (claim: Claim) => Promise<ClaimAnswer | 'away'>;

export type IdempotencyIndexOptions = {
  journal: Pick<Journal, 'folder' | 'segments'>;
  /** Journals of other workers, with the segments that may hold keys which this one has to know. */
  others?: readonly Parameters<typeof recallKeys>[0][];
  /** Whether a key of those belongs to this worker now. */
  isOwn?: (hash: Buffer) => boolean;
  clock: Clock;
  log: Log;
  maxKeys: number;
  /** How many bytes at the end of the journal are searched at the start. */
  maxRecalledBytes: number;
};

export type IdempotencyIndex = Awaited<ReturnType<typeof openIdempotencyIndex>>;

type UnderWay = {
  bodyCrc: number;
  waiting: OnVerdict[];
  isAsking: boolean;
  /** Called when the record is on disk, or won't be. */
  settled: (() => void)[];
};

/** The keys that were left to other nodes. A late first attempt must not be taken here as well. */
const maxLeftKeys = 500_000;

const unknownBody = 0;
const failed: Refusal = { refused: 'internal', message: internalFault };
const refuseOtherBody = (field: string): Refusal =>
  malformedAs(field, 'a new key for each record', 'one that another record was sent with');
export const otherBody = refuseOtherBody('Idempotency-Key');
/** The same for a record of a batch, whose key is one of its members. */
export const otherBodyInBatch = refuseOtherBody('IdempotencyKey');

/**
 * Opens the index of the records that were accepted in the last hour, by the keys that they were sent with.
 * The journal holds a hash of each key next to its record, so that the index survives a restart. The body's
 * checksum is not written, because an IP address could be guessed from it.
 */
export async function openIdempotencyIndex(options: IdempotencyIndexOptions) {
  const { journal, others = [], isOwn = () => true, clock, log, maxKeys } = options;
  const memory = new KeyMemory({ monotonicMs: clock.monotonicMs, maxKeys });
  const limits = { maxAgeMs: rememberedMs, maxKeys, maxBytes: options.maxRecalledBytes };
  const remember = (isHere: boolean) => (hash: Buffer, ageMs: number, received: Received | undefined) => {
    // The receipt of a record names the node whose journal it is in.
    if (isOwn(hash)) memory.remember(hash, unknownBody, { ageMs, received: isHere ? received : undefined });
  };
  const onUnreadable = (segment: number, error: unknown) =>
    log.error(
      { err: error, segment },
      'a journal segment cannot be read: repeats of its records may be counted again',
    );
  for (const one of [...others, journal])
    await recallKeys(one, limits, remember(one === journal), onUnreadable);
  const openedMs = clock.monotonicMs();
  const hasRecalled = memory.size() > 0;
  const underWay = new Map<string, UnderWay>();
  const left = new KeyMemory({ monotonicMs: clock.monotonicMs, maxKeys: maxLeftKeys });

  return {
    /**
     * Returns the attempt to continue with if the key is new. Otherwise returns undefined: `answer` was
     * called, or will be as soon as the first request with this key has its verdict.
     */
    begin({ website, key, kind, body, isFirst }: Sent, answer: OnVerdict): FirstAttempt | undefined {
      const hash = idempotencyHash(website, key);
      // The same bytes can be sent as either kind.
      const bodyCrc = crc32(body, kind === 'event' ? 1 : 0);
      const name = hash.toString('latin1');
      const first = underWay.get(name);
      if (first !== undefined) {
        if (first.bodyCrc === bodyCrc) first.waiting.push(answer);
        else answer(otherBody);
        return undefined;
      }
      const known = memory.find(hash);
      if (known !== undefined) {
        const isSame = known.bodyCrc === bodyCrc || known.bodyCrc === unknownBody;
        answer(isSame ? { repeated: true, received: known.received } : otherBody);
        return undefined;
      }
      const waiting: OnVerdict[] = [];
      const mustAsk = !isFirst || left.find(hash) !== undefined;
      const attempt: UnderWay = { bodyCrc, waiting, isAsking: mustAsk, settled: [] };
      underWay.set(name, attempt);
      const end = () => {
        // An older node may have claimed the key, and another attempt may have begun since.
        if (underWay.get(name) !== attempt) return;
        underWay.delete(name);
        for (const settle of attempt.settled) settle();
      };
      return {
        hash,
        bodyCrc,
        mustAsk,
        goOn() {
          // An older node has claimed the key in the meantime, and was told that it may.
          if (underWay.get(name) !== attempt) return false;
          attempt.isAsking = false;
          return true;
        },
        answer(verdict) {
          const isOnDisk = 'accepted' in verdict || 'repeated' in verdict;
          if (isOnDisk) memory.remember(hash, bodyCrc, { received: verdict.received });
          end();
          answer(verdict);
          for (const repeat of waiting.splice(0))
            repeat('accepted' in verdict ? { repeated: true, received: verdict.received } : verdict);
        },
        giveUp() {
          end();
          for (const repeat of waiting.splice(0)) repeat(failed);
        },
      };
    },
    /**
     * Answers another node that wants to take a record. `isSenior` decides who goes on if this node is asking
     * for the same key. A record that is being written here is waited for.
     */
    async claim({ hash, bodyCrc }: Claim, isSenior: boolean): Promise<ClaimAnswer> {
      const name = hash.toString('latin1');
      for (let first = underWay.get(name); first !== undefined; first = underWay.get(name)) {
        if (first.isAsking && !isSenior) return 'busy';
        if (first.isAsking) underWay.delete(name);
        else await new Promise<void>((resolve) => first!.settled.push(resolve));
      }
      const known = memory.find(hash);
      if (known === undefined) {
        left.remember(hash, unknownBody);
        return 'free';
      }
      return known.bodyCrc === bodyCrc || known.bodyCrc === unknownBody ? 'taken' : 'other-body';
    },
    /** The number of keys that are remembered. */
    size: () => memory.size(),
    /** The hashes of the keys of all records that are on disk, if nothing is being written. */
    hashes: () => memory.hashes(),
    /**
     * Returns whether some keys are from before the start. The times of the journal's files do not show their
     * age.
     */
    holdsRecalled: () => hasRecalled && clock.monotonicMs() - openedMs < rememberedMs,
  };
}
