import type { Directory, DirectoryEntry } from '../control/watch-directory.ts';
import type { Clock } from '../core/clock.ts';
import type { Journal } from '../journal/open-journal.ts';
import { createAdmit } from './admit.ts';
import { type Authenticated, createAuthenticate } from './authenticate.ts';
import type { Allowance, Contingent } from './contingent.ts';
import { createDescriber } from './describe/create-describer.ts';
import { createIdentify } from './identify.ts';
import { parse } from './parse.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { createToPayload } from './to-payload.ts';
import { toUnderstood, type Understood } from './understood.ts';
import { createValidate, type RecordKind } from './validate.ts';

export type Accepted = {
  accepted: true;
  /** What was made of it, for who wants to know. */
  understand: () => Understood;
};
export type Verdict = Accepted | Refusal;

export type Intake = {
  authenticate(key: string | undefined): Authenticated | Refusal;
  /** Takes a body to its verdict; `answer` is called exactly once, when an accepted record is on disk. */
  accept(kind: RecordKind, website: DirectoryEntry, body: Buffer, answer: (verdict: Verdict) => void): void;
  allowance(website: DirectoryEntry): Allowance | undefined;
};

const describedUserAgents = 10_000;

const failures = {
  'journal-full': 'There is no space to keep the record: try again later',
  'journal-closed': 'The server is stopping: try again in a moment',
} as const;

/** The way of a record: authenticate, parse, validate, admit, identify, describe, append. */
export function createIntake(parts: {
  directory: Pick<Directory, 'findByKeyHash'>;
  keyUse: { note(keyHash: string): void };
  contingent: Contingent;
  salts: { get(date: string): Buffer | undefined };
  journal: Pick<Journal, 'append'>;
  clock: Clock;
}): Intake {
  const { contingent, journal, clock } = parts;
  const authenticate = createAuthenticate(parts.directory, parts.keyUse);
  const validate = createValidate();
  const admit = createAdmit(contingent);
  const identify = createIdentify(parts.salts);
  const toPayload = createToPayload();
  const describe = createDescriber({ cacheEntries: describedUserAgents });

  return {
    authenticate,
    allowance: (website) => contingent.allowance(website, clock.now()),
    accept(kind, website, body, answer) {
      const parsed = parse(body);
      if (isRefusal(parsed)) return answer(parsed);

      const valid = validate(kind, parsed);
      if (isRefusal(valid)) return answer(valid);

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

        journal.append(toPayload(identified, described), (failure) => {
          if (failure === undefined) {
            contingent.settle(admitted.place);
            answer({ accepted: true, understand: () => toUnderstood(identified, described) });
          } else {
            contingent.release(admitted.place);
            answer({ refused: failure, message: failures[failure] });
          }
        });
        isUnderWay = true;
      } finally {
        if (!isUnderWay) contingent.release(admitted.place);
      }
    },
  };
}
