import type { Directory, DirectoryEntry } from '../control/websites/website-cache.ts';
import type { AppendFailure } from '../journal/append-failure.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Clock } from '../time/clock.ts';
import type { Allowance, Contingent } from './contingent/contingent.ts';
import { createDescriber } from './describe/create-describer.ts';
import type { RepeatKey } from './idempotency/idempotency-hash.ts';
import type { Repeats } from './idempotency/idempotency-index.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { createAdmit } from './steps/admit.ts';
import { type Authenticated, createAuthenticate } from './steps/authenticate.ts';
import { createIdentify } from './steps/identify.ts';
import { parse } from './steps/parse.ts';
import { createToPayload } from './steps/to-payload.ts';
import { createValidate, type RecordKind, type Valid } from './steps/validate.ts';
import { toUnderstood } from './understood.ts';
import type { Answer } from './verdict.ts';

export type Intake = {
  authenticate(key: string | undefined): Authenticated | Refusal;
  /**
   * Takes a body to its verdict; `answer` is called exactly once, when an accepted record is on disk. Of all that come
   * with the same key, one is accepted.
   */
  accept(kind: RecordKind, website: DirectoryEntry, body: Buffer, answer: Answer, key?: RepeatKey): void;
  allowance(website: DirectoryEntry): Allowance | undefined;
};

const describedUserAgents = 10_000;

const failures = {
  'journal-full': 'There is no space to keep the record: try again later',
  'journal-stalled': 'The disk does not answer, so the record cannot be kept: try again in a moment',
  'journal-closed': 'The server is stopping: try again in a moment',
} as const;

/** The way of a record: authenticate, parse, validate, tell repeats, admit, identify, describe, append. */
export function createIntake(parts: {
  directory: Pick<Directory, 'findByKeyHash'>;
  keyUse: { note(keyHash: string): void };
  contingent: Contingent;
  salts: { get(date: string): Buffer | undefined };
  journal: Pick<Journal, 'append'>;
  repeats: Pick<Repeats, 'begin'>;
  clock: Clock;
}): Intake {
  const { contingent, journal, repeats, clock } = parts;
  const authenticate = createAuthenticate(parts.directory, parts.keyUse);
  const validate = createValidate();
  const admit = createAdmit(contingent);
  const identify = createIdentify(parts.salts);
  const toPayload = createToPayload();
  const describe = createDescriber({ cacheEntries: describedUserAgents });

  /** From a valid body to the disk. */
  const take = (website: DirectoryEntry, valid: Valid, answer: Answer, mark?: Buffer) => {
    const admitted = admit(website, valid, clock.now());
    if (isRefusal(admitted)) return answer(admitted);

    let isUnderWay = false;
    try {
      const identified = identify(admitted);
      if (isRefusal(identified)) return answer(identified);

      const { Page, Referrer, Browser } = identified.valid.body.Metrics;
      const described = describe({
        userAgent: Browser.UserAgent,
        pageUrl: Page.Absolute,
        referrer: Referrer.Absolute || null,
        domain: website.domain,
      });

      const onWritten = (failure?: AppendFailure) => {
        if (failure === undefined) {
          contingent.settle(admitted.place);
          answer({ accepted: true, understand: () => toUnderstood(identified, described) });
        } else {
          contingent.release(admitted.place);
          answer({ refused: failure, message: failures[failure] });
        }
      };
      journal.append(toPayload(identified, described), onWritten, mark);
      isUnderWay = true;
    } finally {
      if (!isUnderWay) contingent.release(admitted.place);
    }
  };

  return {
    authenticate,
    allowance: (website) => contingent.allowance(website, clock.now()),
    accept(kind, website, body, answer, key) {
      const parsed = parse(body);
      if (isRefusal(parsed)) return answer(parsed);

      const valid = validate(kind, parsed);
      if (isRefusal(valid)) return answer(valid);

      if (key === undefined) return take(website, valid, answer);
      const first = repeats.begin({ website, key, kind, body }, answer);
      if (first === undefined) return;
      try {
        take(website, valid, first.answer, first.mark);
      } catch (error) {
        first.giveUp();
        throw error;
      }
    },
  };
}
