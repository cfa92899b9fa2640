import type { ApiKey, CachedWebsite } from '../control/websites/website-cache.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Clock } from '../time/clock.ts';
import { createTakeBatch } from './batch/take-batch.ts';
import type { Allowance, Contingent } from './contingent/contingent.ts';
import type { MonthCount } from './contingent/month-count.ts';
import { createRecordSteps, failures } from './create-record-steps.ts';
import { createDryRun, type DryRun, readDryRun } from './dry-run.ts';
import { type IdempotencyKey, readIdempotencyKey } from './idempotency/idempotency-hash.ts';
import {
  type AskHolders,
  type FirstAttempt,
  type IdempotencyIndex,
  otherBody,
} from './idempotency/idempotency-index.ts';
import { createReceipts, type Received, type ReceivedRecord } from './receipts/receipts.ts';
import { malformedAs, type Refusal } from './refusal.ts';
import { createAuthenticate } from './steps/authenticate.ts';
import type { DailySalts } from './steps/identify.ts';
import { parse, type RecordKind, type Valid } from './steps/validate.ts';
import type { Sender, Tally } from './tally/open-tally.ts';
import { readRelease, readSequence, type Sequence, sequenceHeader } from './tally/sequence.ts';
import type { OnVerdict } from './verdict.ts';

/** What intake looks at before the body is read. */
export type IntakeHeaders = {
  authorization: string | undefined;
  /** A list if it came more than once. */
  idempotencyKey: string | readonly string[] | undefined;
  /** Which attempt of the client this is. `1` is believed, everything else may be a repeat. */
  attempt?: string | undefined;
  /** Whether the record is only to be judged. */
  dryRun?: string | undefined;
  /** The number that the sender gave the record. A list if it came more than once. */
  sequence?: string | readonly string[] | undefined;
  release?: string | readonly string[] | undefined;
};

/** A request whose headers were accepted: only its body has yet to come. */
export type OpenRequest = Sender & {
  kind: RecordKind;
  key: IdempotencyKey | undefined;
  /** Whether the client says that it sends the record for the first time. */
  isFirst?: boolean;
  /** The API key, where another worker may have to judge the record. */
  authorization?: string | undefined;
  /** Whether the record is only to be judged, with `dryRun` instead of `take`. */
  isDryRun?: boolean;
};

/** A batch whose headers were accepted. */
export type OpenBatch = Sender & { isFirst: boolean; authorization: string | undefined };

/**
 * Whose request was refused before its body was looked at. The website is known if the API key was right, and so
 * is the sender, unless the record was only to be judged.
 */
export type RefusedSender = {
  website: CachedWebsite | undefined;
  sender?: Sender | undefined;
  isDryRun?: boolean;
};

/** A request that was refused by its headers alone. */
export type RefusedRequest = Refusal & RefusedSender;

export type Intake = {
  /** Takes the steps that need no body, so that the body of a refused request doesn't have to be read. */
  open(kind: RecordKind, headers: IntakeHeaders): OpenRequest | RefusedRequest;
  /**
   * Takes the steps from the body to the verdict. `answer` is called exactly once: for an accepted record, as
   * soon as it is on disk. Of all records that come with the same key, one is accepted. A fault is thrown, or
   * given to `onFault` if the record had to wait.
   */
  take(request: OpenRequest, body: Buffer, answer: OnVerdict, onFault: (error: unknown) => void): void;
  /** Does the same for a batch, whose records have their own keys. */
  openBatch(headers: IntakeHeaders): OpenBatch | RefusedRequest;
  takeBatch: ReturnType<typeof createTakeBatch>;
  /** Says what would become of a record, which leaves no trace. */
  dryRun: DryRun;
  allowance(website: CachedWebsite): Allowance | undefined;
  /** Writes the receipt of a record that this node has on disk. */
  receipt(website: CachedWebsite, received: Received): string;
  /** Returns which record a receipt names, or undefined if it is none of the website's. */
  readReceipt(website: CachedWebsite, receipt: string): ReceivedRecord | undefined;
};

/**
 * Takes a record through its steps, in this order. The fast lane and Node's HTTP server both use this list;
 * they differ only in how they read the headers and the body.
 */
export function createIntake(parts: {
  /** All API keys, by their hash. */
  apiKeys: ReadonlyMap<string, ApiKey>;
  /** Where intake notes when a key was used, by its hash. */
  keyUsedAtMs: Map<string, number>;
  contingent: Contingent;
  tally: Pick<Tally, 'noteFor' | 'accepted'>;
  salts: DailySalts;
  journal: Pick<Journal, 'append' | 'appendTogether' | 'node'>;
  idempotencyIndex: Pick<IdempotencyIndex, 'begin'>;
  /** Asks the nodes that may have taken a record before. Undefined if there are no others. */
  askHolders?: AskHolders | undefined;
  /** How many hours later than it happened a record may come. */
  lateHours: number;
  clock: Clock;
}): Intake {
  const { contingent, journal, idempotencyIndex, askHolders, clock } = parts;
  const authenticate = createAuthenticate(parts.apiKeys, parts.keyUsedAtMs);
  const steps = createRecordSteps(parts);
  const { validate, exclude, waited, admit, identify, describe, toEntry } = steps;
  const receipts = createReceipts();

  return {
    open(kind, headers) {
      const apiKey = authenticate(headers.authorization, clock.now());
      if ('refused' in apiKey) return { ...apiKey, website: undefined };
      const { website } = apiKey;
      const { idempotencyKey, dryRun } = headers;

      let sequence: Sequence | undefined;
      let release = '';
      const refuse = (refusal: Refusal): RefusedRequest => {
        if (dryRun === '1') return { ...refusal, website, isDryRun: true };
        return { ...refusal, website, sender: { website, apiKey, sequence, release } };
      };
      // This comes first, because a record that is refused for anything else has arrived under its number.
      const numbered = headers.sequence === undefined ? undefined : readSequence(headers.sequence);
      if (numbered !== undefined && !('refused' in numbered)) sequence = numbered;
      if (headers.release !== undefined) {
        const read = readRelease(headers.release);
        if (typeof read !== 'string') return refuse(read);
        release = read;
      }
      if (numbered !== undefined && 'refused' in numbered) return refuse(numbered);
      const key = idempotencyKey === undefined ? undefined : readIdempotencyKey(idempotencyKey);
      if (key !== undefined && 'refused' in key) return refuse(key);

      if (dryRun !== undefined) {
        const refusal = readDryRun(dryRun);
        if (refusal !== undefined) return refuse(refusal);
        return { kind, website, apiKey, sequence, release, key, isDryRun: true };
      }

      if (key === undefined) return { kind, website, apiKey, sequence, release, key };
      const isFirst = headers.attempt === '1';
      const { authorization } = headers;
      return { kind, website, apiKey, sequence, release, key, isFirst, authorization };
    },

    openBatch(headers) {
      const apiKey = authenticate(headers.authorization, clock.now());
      if ('refused' in apiKey) return { ...apiKey, website: undefined };
      const { website } = apiKey;
      const read = headers.release === undefined ? '' : readRelease(headers.release);
      const release = typeof read === 'string' ? read : '';
      const sender: Sender = { website, apiKey, sequence: undefined, release };
      const refusal = refuseBatch(headers) ?? (typeof read === 'string' ? undefined : read);
      if (refusal !== undefined)
        return { ...refusal, website, ...(headers.dryRun === '1' ? { isDryRun: true } : { sender }) };
      return { ...sender, isFirst: headers.attempt === '1', authorization: headers.authorization };
    },

    take(request, body, onVerdict, onFault) {
      const { kind, website, key, isFirst = false } = request;
      const parsed = parse(body);
      if ('refused' in parsed) return onVerdict(parsed);

      const valid = validate(kind, parsed);
      if ('refused' in valid) return onVerdict(valid);

      const first = key && idempotencyIndex.begin({ website, key, kind, body, isFirst }, onVerdict);
      // A repeat is answered together with the first request that came with its key.
      if (key !== undefined && first === undefined) return;
      const answer = first?.answer ?? onVerdict;

      const goOn = () => {
        const excluded = exclude(website, valid);
        if (excluded !== undefined) return answer(excluded);

        const nowMs = clock.now();
        if (contingent.mustAsk(website, nowMs)) takeLater(request, valid, first, answer).catch(onFault);
        else takeOn(request, valid, first, answer, nowMs);
      };
      if (askHolders === undefined || !first?.mustAsk) goOn();
      else askFirst(askHolders, first, goOn).catch(onFault);
    },

    takeBatch: createTakeBatch({ steps, contingent, journal, idempotencyIndex, askHolders, clock }),

    dryRun: createDryRun({ steps, contingent, clock }),

    allowance: (website) => contingent.allowance(website, clock.now()),
    receipt: receipts.writerOf(journal.node),
    readReceipt: receipts.read,
  };

  /** Goes on with a record that no other node has, and that none takes anymore. */
  async function askFirst(ask: AskHolders, first: FirstAttempt, goOn: () => void): Promise<void> {
    const said = await ask(first).catch(() => 'away' as const);
    if (said === 'taken') first.answer({ repeated: true });
    else if (said === 'other-body') first.answer(otherBody);
    else if (said === 'free' && first.goOn()) goOn();
    else first.answer({ refused: 'node-away', message: failures['node-away'] });
  }

  /** Asks until it is known whether the contingent has room, because others may take what was granted. */
  async function takeLater(
    sender: Sender,
    valid: Valid,
    first: FirstAttempt | undefined,
    answer: OnVerdict,
  ): Promise<void> {
    const { website } = sender;
    let nowMs = clock.now();
    while (contingent.mustAsk(website, nowMs)) {
      if (!(await contingent.ask(website, nowMs))) {
        answer({ refused: 'control-away', message: failures['control-away'] });
        return;
      }
      nowMs = clock.now();
    }
    takeOn(sender, valid, first, answer, nowMs);
  }

  /** Takes the steps from the contingent on. The time is that of `mustAsk`, because a month may have ended since. */
  function takeOn(
    sender: Sender,
    valid: Valid,
    first: FirstAttempt | undefined,
    answer: OnVerdict,
    nowMs: number,
  ): void {
    const { website } = sender;
    let unsettled: MonthCount | undefined;
    try {
      const waitedMs = waited(valid, nowMs);
      if (typeof waitedMs !== 'number') {
        answer(waitedMs);
        return;
      }

      const admitted = admit(website, valid, nowMs, waitedMs);
      if ('refused' in admitted) {
        answer(admitted);
        return;
      }
      unsettled = admitted.place;

      const identified = identify(admitted);
      if ('refused' in identified) {
        answer(identified);
        return;
      }

      const described = describe(website, valid);

      const { payload, done, mark, note } = toEntry(sender, identified, described, answer, first?.hash);
      journal.append(payload, done, mark, note);
      unsettled = undefined;
    } catch (error) {
      first?.giveUp();
      throw error;
    } finally {
      if (unsettled !== undefined) contingent.release(unsettled);
    }
  }
}

const keyOfBatch = malformedAs(
  'Idempotency-Key',
  'none for a batch',
  'one',
  '; put an IdempotencyKey into each record',
);
const dryRunOfBatch = malformedAs(
  'Trackside-Dry-Run',
  'none for a batch',
  'one',
  '; send a single record to have it judged',
);
const sequenceOfBatch = malformedAs(
  sequenceHeader,
  'none for a batch',
  'one',
  '; put a Sequence into each record',
);

/** Refuses headers that belong to single records. */
function refuseBatch({ idempotencyKey, dryRun, sequence }: IntakeHeaders): Refusal | undefined {
  if (idempotencyKey !== undefined) return keyOfBatch;
  if (dryRun !== undefined) return dryRunOfBatch;
  return sequence === undefined ? undefined : sequenceOfBatch;
}
