import type { IncomingMessage, ServerResponse } from 'node:http';
import { maxBatchBytes, maxBodyBytes } from '@trackside/contract/tracking/body-sizes.ts';
import type { RefusedRequest } from '../../intake/create-intake.ts';
import type { Refusal } from '../../intake/refusal.ts';
import type { Sender } from '../../intake/tally/open-tally.ts';
import { successHeaders, successText } from '../server/answer.ts';
import { endAfterDraining } from '../server/end-after-draining.ts';
import { readBody, refuseByHeaders } from '../server/read-body.ts';
import type { Tracking } from './create-tracking.ts';
import type { RequestKind } from './recent-requests.ts';
import { readTrackingHeaders, type TrackingHeaders } from './tracking-headers.ts';
import type { TrackingReply } from './tracking-reply.ts';

/** Returns what kind of request a path is for, whatever its query; undefined for every other path. */
export function trackedKind(url: string): RequestKind | undefined {
  if (url === '/api/page-view') return 'page_view';
  if (url === '/api/event-view') return 'event';
  if (url === '/api/batch') return 'batch';
  const query = url.indexOf('?');
  if (query !== -1) return trackedKind(url.slice(0, query));
  // A proxy may send the whole URL.
  return /^https?:\/\/[^/]/i.test(url) ? trackedKind(url.replace(/^https?:\/\/[^/]*/i, '')) : undefined;
}

/** How requests of one kind are received. `Opened` is what intake makes of their headers. */
type Receiver<Opened extends object> = {
  kind: RequestKind;
  maxBytes: number;
  open(headers: TrackingHeaders): Opened | RefusedRequest;
  /** Calls `letGo` when the body is no longer needed, whatever happens to the request. */
  take(opened: Opened, body: Buffer, reply: TrackingReply, letGo?: () => void): void;
  /** Returns why there is no room for the body, or how to say that it is no longer needed. */
  hold?(headers: TrackingHeaders): Refusal | (() => void);
};

/** Answers the tracking requests that Node has parsed: all legal HTTP, and some that is not quite legal. */
export function createTrackingHandler(tracking: Tracking) {
  const ofRecord = (kind: 'page_view' | 'event') =>
    createReceive(tracking, {
      kind,
      maxBytes: maxBodyBytes,
      open: (headers) => tracking.open(kind, headers),
      take: tracking.take,
    });
  const receive = {
    page_view: ofRecord('page_view'),
    event: ofRecord('event'),
    batch: createReceive(tracking, {
      kind: 'batch',
      maxBytes: maxBatchBytes,
      open: tracking.openBatch,
      hold: tracking.holdBatch,
      take: tracking.takeBatch,
    }),
  };
  return (kind: RequestKind, request: IncomingMessage, response: ServerResponse): void =>
    receive[kind](request, response);
}

const isContinue = /^100-continue$/i;

function createReceive<Opened extends object>(tracking: Tracking, receiver: Receiver<Opened>) {
  const { kind, maxBytes } = receiver;
  return (request: IncomingMessage, response: ServerResponse): void => {
    const reply = replyTo(request, response);
    if (request.method !== 'POST') {
      tracking.refuseMethod(reply);
      return;
    }
    const headers = readTrackingHeaders(request.rawHeaders);
    const open = () => receiver.open(headers);
    const opened = open();
    if (!tracking.canOpenLater(opened, headers)) {
      goOn(opened);
      return;
    }
    tracking.openLater(open, headers).then((later) => {
      // The client may have left meanwhile.
      if (request.destroyed) tracking.noteUnfinished();
      else goOn(later);
    });

    function goOn(opened: Opened | RefusedRequest): void {
      if ('refused' in opened) {
        tracking.refuseEarly(opened, kind, opened, reply);
        return;
      }
      const sender = opened as Sender & { isDryRun?: boolean };
      const { website, isDryRun = false } = sender;
      const from = { website, sender: isDryRun ? undefined : sender, isDryRun };
      const refusal = refuseByHeaders(headers, maxBytes);
      if (refusal !== undefined) {
        tracking.refuseEarly(refusal, kind, from, reply);
        return;
      }
      const held = receiver.hold?.(headers);
      if (typeof held === 'object') {
        tracking.refuseEarly(held, kind, from, reply);
        return;
      }
      // HTTP/1.0 has no interim answers: the client would take this one for the final answer.
      if (isContinue.test(headers.expect ?? '') && request.httpVersion === '1.1') response.writeContinue();
      const take = (body: Buffer | Refusal) => {
        if (Buffer.isBuffer(body)) receiver.take(opened as Opened, body, reply, held);
        else {
          held?.();
          tracking.refuseEarly(body, kind, from, reply);
        }
      };
      const onGone = () => {
        held?.();
        tracking.noteUnfinished();
      };
      readBody(request, headers, maxBytes, take, onGone);
    }
  };
}

function replyTo(request: IncomingMessage, response: ServerResponse): TrackingReply {
  return {
    success(headers) {
      response.writeHead(200, [...successHeaders, ...headers]);
      // With latin1, headers and body leave as one string of single bytes.
      response.end(successText, 'latin1');
    },
    other: (code, headers, text) => endAfterDraining(request, response, code, headers, text),
  };
}
