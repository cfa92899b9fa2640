import type { ApiKey, CachedWebsite } from '../control/websites/website-cache.ts';
import type { AppendFailure } from '../journal/append-failure.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Clock } from '../time/clock.ts';
import { type Allowance, type Contingent, createAdmit } from './contingent/contingent.ts';
import type { MonthCount } from './contingent/month-count.ts';
import { createDescriber, type Described, type DescriberInput } from './describe/create-describer.ts';
import { createDryRun, type DryRun, readDryRun } from './dry-run.ts';
import { createExclude } from './exclusions/create-exclude.ts';
import { type IdempotencyKey, readIdempotencyKey } from './idempotency/idempotency-hash.ts';
import {
  type Claim,
  type ClaimAnswer,
  type FirstAttempt,
  type IdempotencyIndex,
  otherBody,
} from './idempotency/idempotency-index.ts';
import { createReceipts, type Received, type ReceivedRecord } from './receipts/receipts.ts';
import { summarize } from './record-summary.ts';
import type { Refusal } from './refusal.ts';
import { createAuthenticate } from './steps/authenticate.ts';
import { createIdentify, type DailySalts, type Identified } from './steps/identify.ts';
import { createReceivedOrder, createToPayload } from './steps/to-payload.ts';
import { createValidate, parse, type RecordKind, type Valid } from './steps/validate.ts';
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
};

/** A request whose headers were accepted: only its body has yet to come. */
export type OpenRequest = {
  kind: RecordKind;
  website: CachedWebsite;
  key: IdempotencyKey | undefined;
  /** Whether the client says that it sends the record for the first time. */
  isFirst?: boolean;
  /** The API key, where another worker may have to judge the record. */
  authorization?: string | undefined;
  /** Whether the record is only to be judged, with `dryRun` instead of `take`. */
  isDryRun?: boolean;
};

/** A request that was refused by its headers alone. The website is known if the API key was right. */
export type RefusedRequest = Refusal & { website: CachedWebsite | undefined };

/** `away`: a node that may have taken the record doesn't answer. */
export type AskHolders = (claim: Claim) => Promise<ClaimAnswer | 'away'>;

export type Intake = {
  /** Takes the steps that need no body, so that the body of a refused request doesn't have to be read. */
  open(kind: RecordKind, headers: IntakeHeaders): OpenRequest | RefusedRequest;
  /**
   * Takes the steps from the body to the verdict. `answer` is called exactly once: for an accepted record, as
   * soon as it is on disk. Of all records that come with the same key, one is accepted. A fault is thrown, or
   * given to `onFault` if the record had to wait.
   */
  take(request: OpenRequest, body: Buffer, answer: OnVerdict, onFault: (error: unknown) => void): void;
  /** Says what would become of a record, which leaves no trace. */
  dryRun: DryRun;
  allowance(website: CachedWebsite): Allowance | undefined;
  /** Writes the receipt of a record that this node has on disk. */
  receipt(website: CachedWebsite, received: Received): string;
  /** Returns which record a receipt names, or undefined if it is none of the website's. */
  readReceipt(website: CachedWebsite, receipt: string): ReceivedRecord | undefined;
};

const describedUserAgents = 10_000;

const failures = {
  'node-away':
    'Another server may have the record already, and does not answer: try again in a moment, ' +
    'with the same Idempotency-Key',
  'control-away': 'The monthly contingent cannot be checked at the moment: try again later',
  'journal-full': 'There is no space to keep the record: try again later',
  'journal-stalled': 'The disk does not answer, so the record cannot be kept: try again in a moment',
  'journal-closed': 'The server is stopping: try again in a moment',
} as const;

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
  salts: DailySalts;
  journal: Pick<Journal, 'append' | 'node'>;
  idempotencyIndex: Pick<IdempotencyIndex, 'begin'>;
  /** Asks the nodes that may have taken a record before. Undefined if there are no others. */
  askHolders?: AskHolders | undefined;
  clock: Clock;
}): Intake {
  const { contingent, journal, idempotencyIndex, clock } = parts;
  const authenticate = createAuthenticate(parts.apiKeys, parts.keyUsedAtMs);
  const validate = createValidate();
  const exclude = createExclude({ cacheEntries: describedUserAgents });
  const admit = createAdmit(contingent);
  const identify = createIdentify(parts.salts);
  const describe = createDescriber({ cacheEntries: describedUserAgents });
  const toPayload = createToPayload();
  const orderOf = createReceivedOrder();
  const receipts = createReceipts();

  return {
    open(kind, headers) {
      const website = authenticate(headers.authorization, clock.now());
      if ('refused' in website) return { ...website, website: undefined };

      const { idempotencyKey } = headers;
      const key = idempotencyKey === undefined ? undefined : readIdempotencyKey(idempotencyKey);
      if (key !== undefined && 'refused' in key) return { ...key, website };

      if (headers.dryRun !== undefined) {
        const refusal = readDryRun(headers.dryRun);
        return refusal === undefined ? { kind, website, key, isDryRun: true } : { ...refusal, website };
      }

      if (key === undefined) return { kind, website, key };
      const isFirst = headers.attempt === '1';
      return { kind, website, key, isFirst, authorization: headers.authorization };
    },

    take({ kind, website, key, isFirst = false }, body, onVerdict, onFault) {
      const parsed = parse(body);
      if ('refused' in parsed) return onVerdict(parsed);

      const valid = validate(kind, parsed);
      if ('refused' in valid) return onVerdict(valid);

      const first = key && idempotencyIndex.begin({ website, key, kind, body, isFirst }, onVerdict);
      // A repeat is answered together with the first request that came with its key.
      if (key !== undefined && first === undefined) return;
      const answer = first?.answer ?? onVerdict;

      const excluded = exclude(website, valid);
      if (excluded !== undefined) return answer(excluded);

      const goOn = () => {
        if (contingent.mustAsk(website, clock.now())) takeLater(website, valid, first, answer).catch(onFault);
        else takeOn(website, valid, first, answer);
      };
      if (parts.askHolders === undefined || !first?.mustAsk) goOn();
      else askFirst(parts.askHolders, first, goOn).catch(onFault);
    },

    dryRun: createDryRun({ validate, exclude, contingent, identify, describe, visitOf, clock }),

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
    website: CachedWebsite,
    valid: Valid,
    first: FirstAttempt | undefined,
    answer: OnVerdict,
  ): Promise<void> {
    while (contingent.mustAsk(website, clock.now())) {
      if (!(await contingent.ask(website, clock.now()))) {
        answer({ refused: 'control-away', message: failures['control-away'] });
        return;
      }
    }
    takeOn(website, valid, first, answer);
  }

  /** Takes the steps from the contingent on. */
  function takeOn(
    website: CachedWebsite,
    valid: Valid,
    first: FirstAttempt | undefined,
    answer: OnVerdict,
  ): void {
    let unsettled: MonthCount | undefined;
    try {
      const admitted = admit(website, valid, clock.now());
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

      const described = describe(visitOf(identified));

      append(identified, described, answer, first?.hash);
      unsettled = undefined;
    } catch (error) {
      first?.giveUp();
      throw error;
    } finally {
      if (unsettled !== undefined) contingent.release(unsettled);
    }
  }

  /** Gives the record to the journal, and then settles its place in the contingent or gives it back. */
  function append(
    identified: Identified,
    described: Described,
    answer: OnVerdict,
    idempotencyHash: Buffer | undefined,
  ): void {
    const { receivedAtMs } = identified;
    const received = { receivedAtMs, order: orderOf(receivedAtMs) };
    const onWritten = (failure?: AppendFailure) => {
      if (failure === undefined) {
        contingent.settle(identified.place);
        answer({ accepted: true, received, summarize: () => summarize(identified, described) });
      } else {
        contingent.release(identified.place);
        answer({ refused: failure, message: failures[failure] });
      }
    };
    journal.append(toPayload(identified, described, received.order), onWritten, idempotencyHash);
  }
}

/** The part of a record that is described: the visit, not the visitor. */
function visitOf({ website, valid }: { website: CachedWebsite; valid: Valid }): DescriberInput {
  const { Page, Referrer, Browser } = valid.body.Metrics;
  return {
    userAgent: Browser.UserAgent,
    pageUrl: Page.Absolute,
    referrer: Referrer.Absolute || null,
    domain: website.domain,
  };
}
