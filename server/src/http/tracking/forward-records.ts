import { Agent, type IncomingMessage, request } from 'node:http';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import type { OpenBatch, OpenRequest } from '../../intake/create-intake.ts';
import { type IdempotencyKey, idempotencyHash } from '../../intake/idempotency/idempotency-hash.ts';
import { ownerOf } from '../../intake/idempotency/owner-of.ts';
import type { Refusal } from '../../intake/refusal.ts';
import type { RecordKind } from '../../intake/steps/validate.ts';
import { releaseHeader, sequenceHeader } from '../../intake/tally/sequence.ts';
import { successText } from '../server/answer.ts';
import { type ForwardAnswer, readBatchAnswer } from './read-batch-answer.ts';
import { type RecordResult, receiptHeader, type TrackingReply } from './tracking-reply.ts';

/** Sends records to the one worker that knows whether they are repeats. */
export type Forwarding = {
  /**
   * Returns false if the record is for this worker. `onAway` is called if its own worker doesn't answer, and is
   * told whether that one may have got the record.
   */
  record(
    request: OpenRequest,
    body: Buffer,
    reply: TrackingReply,
    onAway: (isSent: boolean) => void,
  ): boolean;
  /** The worker that a key belongs to. Undefined if it is this one. */
  ownerOf(website: CachedWebsite, key: IdempotencyKey): number | undefined;
  /** Forwards records as they came, and returns the answer to each. */
  batch(owner: number, batch: OpenBatch, records: readonly Buffer[]): Promise<readonly RecordResult[]>;
  stop(): void;
};

const paths: Record<RecordKind, string> = { page_view: '/api/page-view', event: '/api/event-view' };
const isOfSuccess = (name: string) => name.startsWith('contingent-') || name === receiptHeader.toLowerCase();
const connectionHeaders = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);
/** A worker answers within the ten seconds after which it refuses records that wait for the disk. */
const answerMs = 15_000;

const awayMessage = 'The process that knows this Idempotency-Key is restarting: try again in a moment';
const unknown = { outcome: 'unknown' } as const;

/** `isSent`: the other process may have taken the record before it ended. */
export const workerAway = (isSent: boolean): Refusal => ({
  refused: 'worker-away',
  message: awayMessage,
  ...(isSent && unknown),
});
const awayResult = (isSent: boolean): RecordResult => ({
  code: 503,
  message: awayMessage,
  retrySeconds: 2,
  ...(isSent && unknown),
});
const mayBeSent = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== 'connect';

/**
 * Sends each record with an Idempotency-Key to the one worker that knows whether it is a repeat, and passes the
 * answer on.
 */
export function createForward(parts: {
  worker: number;
  workers: number;
  socketOf: (worker: number) => string;
}): Forwarding {
  const { worker, workers, socketOf } = parts;
  const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: answerMs });

  function send(
    owner: number,
    path: string,
    headers: Record<string, string | undefined>,
    body: Buffer,
    isAgain = false,
  ): Promise<ForwardAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ForwardAnswer>();
    const all = { ...headers, 'Content-Length': String(body.length) };
    const sent = request({ socketPath: socketOf(owner), agent, method: 'POST', path, headers: all });
    sent.once('response', (response) => readAnswer(response).then(resolve, reject));
    sent.once('timeout', () => sent.destroy(new Error('the worker does not answer')));
    sent.once('error', (error: NodeJS.ErrnoException) => {
      // The other side had closed the idle connection. With its key, the record can't be counted twice.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(owner, path, headers, body, true));
      // Or it got the record and was killed, which looks the same. A second attempt that fails can't rule that out.
      else reject(isAgain ? new Error('the worker has closed the connection', { cause: error }) : error);
    });
    sent.end(body);
    return promise;
  }

  function ownerOfKey(website: CachedWebsite, key: IdempotencyKey): number | undefined {
    const owner = ownerOf(idempotencyHash(website, key), workers);
    return owner === worker ? undefined : owner;
  }

  return {
    ownerOf: ownerOfKey,
    record({ kind, website, key, isFirst = false, authorization, sequence, release }, body, reply, onAway) {
      const owner = key && ownerOfKey(website, key);
      if (owner === undefined) return false;
      const headers = {
        ...headersOf({ authorization, isFirst, release }),
        'Idempotency-Key': key!.text,
        ...(sequence && { [sequenceHeader]: sequence.text }),
      };
      send(owner, paths[kind], headers, body).then(
        ({ code, rawHeaders, text }) => {
          if (code === 200 && text === successText) reply.success(pick(rawHeaders, isOfSuccess));
          else
            reply.other(
              code,
              pick(rawHeaders, (name) => !connectionHeaders.has(name)),
              text,
            );
        },
        (error: unknown) => onAway(mayBeSent(error)),
      );
      return true;
    },
    async batch(owner, batch, records) {
      const headers = headersOf(batch);
      const separated = records.flatMap((record, at) => (at === 0 ? [record] : [comma, record]));
      const body = Buffer.concat([start, ...separated, end]);
      try {
        const answer = await send(owner, '/api/batch', headers, body);
        return readBatchAnswer(answer, records.length);
      } catch (error) {
        const result = awayResult(mayBeSent(error));
        return records.map(() => result);
      }
    },
    stop: () => agent.destroy(),
  };
}

const headersOf = ({
  authorization,
  isFirst,
  release,
}: Pick<OpenBatch, 'authorization' | 'isFirst' | 'release'>) => ({
  Authorization: authorization,
  ...(isFirst && { 'Trackside-Attempt': '1' }),
  ...(release !== '' && { [releaseHeader]: release }),
});

const [start, comma, end] = ['{"Records":[', ',', ']}'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

async function readAnswer(response: IncomingMessage): Promise<ForwardAnswer> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { code: response.statusCode!, rawHeaders: response.rawHeaders, text };
}

/** Returns the headers, names and values in turn, whose name in lower case is wanted. */
function pick(raw: readonly string[], isWanted: (name: string) => boolean): string[] {
  return raw.filter((_, at) => isWanted(raw[at - (at % 2)]!.toLowerCase()));
}
