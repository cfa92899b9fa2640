import type { CachedWebsite } from '../control/websites/website-cache.ts';
import type { AppendFailure } from '../journal/append-failure.ts';
import type { Entry } from '../journal/group-commit.ts';
import { type Contingent, createAdmit } from './contingent/contingent.ts';
import { createDescriber, type Described } from './describe/create-describer.ts';
import { createExclude } from './exclusions/create-exclude.ts';
import { summarize } from './record-summary.ts';
import { createWaited } from './steps/create-waited.ts';
import { createIdentify, type DailySalts, type Identified } from './steps/identify.ts';
import { createReceivedOrder, createToPayload } from './steps/to-payload.ts';
import { createValidate, type Valid } from './steps/validate.ts';
import type { Sender, Tally } from './tally/open-tally.ts';
import type { OnVerdict } from './verdict.ts';

export type RecordSteps = ReturnType<typeof createRecordSteps>;

const describedUserAgents = 10_000;

export const failures = {
  'node-away':
    'Another server may have the record already, and does not answer: try again in a moment, ' +
    'with the same Idempotency-Key',
  'control-away': 'The monthly contingent cannot be checked at the moment: try again later',
  'journal-full': 'There is no space to keep the record: try again later',
  'journal-stalled': 'The disk does not answer, so the record cannot be kept: try again in a moment',
  'journal-closed': 'The server is stopping: try again in a moment',
  'journal-broken':
    'The disk failed while the record was written, so it may be counted or not: try again in a moment, ' +
    'with the same Idempotency-Key',
} as const;

/** Creates the steps that each record takes, whether it comes alone or in a batch. */
export function createRecordSteps(parts: {
  contingent: Contingent;
  tally: Pick<Tally, 'noteFor' | 'accepted'>;
  salts: DailySalts;
  /** How many hours later than it happened a record may come. */
  lateHours: number;
}) {
  const { contingent, tally } = parts;
  const describeVisit = createDescriber({ cacheEntries: describedUserAgents });
  const toPayload = createToPayload();
  const orderOf = createReceivedOrder();

  return {
    validate: createValidate(),
    exclude: createExclude({ cacheEntries: describedUserAgents }),
    waited: createWaited(parts.lateHours),
    admit: createAdmit(contingent),
    identify: createIdentify(parts.salts),
    /** Describes the visit, not the visitor. */
    describe(website: CachedWebsite, { body }: Valid): Described {
      const { Page, Referrer, Browser } = body.Metrics;
      return describeVisit({
        userAgent: Browser.UserAgent,
        pageUrl: Page.Absolute,
        referrer: Referrer.Absolute || null,
        domain: website.domain,
      });
    },
    /** Makes what the journal takes. When it is written, its place in the contingent is settled or given back. */
    toEntry(
      sender: Sender,
      identified: Identified,
      described: Described,
      answer: OnVerdict,
      mark: Buffer | undefined,
    ): Entry {
      const { receivedAtMs } = identified;
      const received = { receivedAtMs, order: orderOf(receivedAtMs) };
      const done = (failure?: AppendFailure) => {
        if (failure === undefined) {
          contingent.settle(identified.place);
          tally.accepted(sender, receivedAtMs);
          answer({ accepted: true, received, summarize: () => summarize(identified, described) });
        } else {
          contingent.release(identified.place);
          const unsure = failure === 'journal-broken' ? ({ outcome: 'unknown' } as const) : {};
          answer({ refused: failure, message: failures[failure], ...unsure });
        }
      };
      const payload = toPayload(identified, described, received.order);
      return { payload, done, mark, note: tally.noteFor(sender) };
    },
  };
}
