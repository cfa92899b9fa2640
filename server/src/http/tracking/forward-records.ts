import { Agent, type IncomingMessage, request } from 'node:http';
import type { OpenRequest } from '../../intake/create-intake.ts';
import { idempotencyHash } from '../../intake/idempotency/idempotency-hash.ts';
import { ownerOf } from '../../intake/idempotency/owner-of.ts';
import type { RecordKind } from '../../intake/steps/validate.ts';
import { successText } from '../server/answer.ts';
import { receiptHeader, type TrackingReply } from './tracking-reply.ts';

/** Returns false if the record is for this worker. `onAway` is called if its own worker doesn't answer. */
export type Forward = (
  request: OpenRequest,
  body: Buffer,
  reply: TrackingReply,
  onAway: () => void,
) => boolean;

type Answer = { code: number; rawHeaders: readonly string[]; text: string };

const paths: Record<RecordKind, string> = { page_view: '/api/page-view', event: '/api/event-view' };
const isOfSuccess = (name: string) => name.startsWith('contingent-') || name === receiptHeader.toLowerCase();
const connectionHeaders = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);
/** A worker answers within the ten seconds after which it refuses records that wait for the disk. */
const answerMs = 15_000;

/**
 * Sends each record with an Idempotency-Key to the one worker that knows whether it is a repeat, and passes the
 * answer on.
 */
export function createForward(parts: {
  worker: number;
  workers: number;
  socketOf: (worker: number) => string;
}): Forward & { stop(): void } {
  const { worker, workers, socketOf } = parts;
  const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: answerMs });

  function send(socketPath: string, open: OpenRequest, body: Buffer): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const headers = {
      Authorization: open.authorization,
      'Idempotency-Key': open.key!.text,
      'Content-Length': String(body.length),
    };
    const sent = request({ socketPath, agent, method: 'POST', path: paths[open.kind], headers });
    sent.once('response', (response) => readAnswer(response).then(resolve, reject));
    sent.once('timeout', () => sent.destroy(new Error('the worker does not answer')));
    sent.once('error', (error: NodeJS.ErrnoException) => {
      // The other side had closed the idle connection. With its key, the record can't be counted twice.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(socketPath, open, body));
      else reject(error);
    });
    sent.end(body);
    return promise;
  }

  const forward: Forward = (open, body, reply, onAway) => {
    if (open.key === undefined) return false;
    const owner = ownerOf(idempotencyHash(open.website, open.key), workers);
    if (owner === worker) return false;
    send(socketOf(owner), open, body).then(
      ({ code, rawHeaders, text }) => {
        if (code === 200 && text === successText) reply.success(pick(rawHeaders, isOfSuccess));
        else
          reply.other(
            code,
            pick(rawHeaders, (name) => !connectionHeaders.has(name)),
            text,
          );
      },
      () => onAway(),
    );
    return true;
  };
  return Object.assign(forward, { stop: () => agent.destroy() });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { code: response.statusCode!, rawHeaders: response.rawHeaders, text };
}

/** Returns the headers, names and values in turn, whose name in lower case is wanted. */
function pick(raw: readonly string[], isWanted: (name: string) => boolean): string[] {
  return raw.filter((_, at) => isWanted(raw[at - (at % 2)]!.toLowerCase()));
}
