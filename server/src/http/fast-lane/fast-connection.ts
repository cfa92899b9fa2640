import type { Socket } from 'node:net';
import type { DirectoryEntry } from '../../control/watch-directory.ts';
import { isRefusal } from '../../intake/refusal.ts';
import { readRepeatKey } from '../../intake/repeat-key.ts';
import { answerEarlyEnd } from '../answer-client-error.ts';
import type { Tracking, TrackingReply } from '../tracking.ts';
import { formatAnswer, formatSuccess } from './format-answer.ts';
import { type PlainRequest, readPlainRequest } from './read-plain-request.ts';

type Lane = {
  tracking: Tracking;
  keepAliveMs: number;
  isStopping(): boolean;
  /** The headers that end an answer. */
  ending(isLast: boolean): string;
  /** Lets Node's HTTP server have the connection, and whatever it reads next. */
  handOver(socket: Socket): void;
  leave(connection: FastConnection): void;
};

/** A request that is not whole by then goes to Node, which has limits for slow clients. */
const patienceMs = 2000;

/** One connection in the fast lane: one request at a time, each answered before the next is looked at. */
export class FastConnection implements TrackingReply {
  readonly #socket: Socket;
  readonly #lane: Lane;
  /** The request that is being read, or answered. */
  #request: PlainRequest | undefined;
  #website: DirectoryEntry | undefined;
  #isAnswering = false;
  /** Bytes of the request that is being read. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #hasAnswered = false;
  #hasPeerEnded = false;
  #quietMs = 0;

  constructor(socket: Socket, lane: Lane) {
    this.#socket = socket;
    this.#lane = lane;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** A second or so has passed. */
  tick(ms: number): void {
    this.#quietMs += ms;
    if (this.#isAnswering) return;
    const isIdle = this.#heldBytes === 0 && this.#hasAnswered;
    if (isIdle && this.#quietMs > this.#lane.keepAliveMs) this.#socket.destroy();
    else if (!isIdle && this.#quietMs > patienceMs) this.#handOver();
  }

  stop(): void {
    if (this.#isAnswering) return;
    if (this.#heldBytes === 0) this.#socket.destroy();
    else this.#handOver();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#quietMs = 0;
    if (this.#isAnswering) {
      this.#putBack(chunk);
      return;
    }
    if (this.#request !== undefined) {
      this.#hold(chunk);
      if (this.#heldBytes >= this.#request.end) this.#take(this.#request, Buffer.concat(this.#held));
      return;
    }
    const request = readPlainRequest(chunk);
    if (request === undefined) {
      this.#hold(chunk);
      this.#handOver();
      return;
    }
    const authenticated = this.#lane.tracking.authenticate(request.authorization);
    const isWhole = chunk.length >= request.end;
    if (!isRefusal(authenticated)) {
      this.#website = authenticated.website;
      this.#request = request;
      if (isWhole) this.#take(request, chunk);
      else this.#hold(chunk);
    } else if (isWhole) {
      this.#begin(request, chunk);
      this.#lane.tracking.refuse(authenticated, request.kind, undefined, this);
    } else {
      // Who has no key is not waited for: Node's side refuses such a request by its head.
      this.#hold(chunk);
      this.#handOver();
    }
  };

  #hold(chunk: Buffer): void {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
  }

  #begin(request: PlainRequest, bytes: Buffer): void {
    this.#request = request;
    this.#isAnswering = true;
    this.#held = [];
    this.#heldBytes = 0;
    if (bytes.length > request.end) this.#putBack(bytes.subarray(request.end));
  }

  /** More than one request at a time is for Node; the socket keeps what came, and its end, until the answer is given. */
  #putBack(bytes: Buffer): void {
    this.#socket.pause();
    this.#socket.unshift(bytes);
  }

  #take(request: PlainRequest, bytes: Buffer): void {
    this.#begin(request, bytes);
    const body = bytes.subarray(request.bodyStart, request.end);
    const { tracking } = this.#lane;
    const { kind, idempotencyKey } = request;
    if (idempotencyKey === undefined) {
      tracking.accept(kind, this.#website!, body, this);
      return;
    }
    const key = readRepeatKey(idempotencyKey);
    if (isRefusal(key)) tracking.refuse(key, kind, this.#website, this);
    else tracking.accept(kind, this.#website!, body, this, key);
  }

  success(headers: readonly string[]): void {
    this.#write(formatSuccess(headers, this.#lane.ending(this.#isLast())), 'latin1');
  }

  other(code: number, headers: readonly string[], text: string): void {
    this.#write(formatAnswer(code, headers, text, this.#lane.ending(this.#isLast())), 'utf8');
  }

  #isLast(): boolean {
    return this.#hasPeerEnded || this.#lane.isStopping();
  }

  #write(answer: string, encoding: 'latin1' | 'utf8'): void {
    const socket = this.#socket;
    this.#request = undefined;
    this.#isAnswering = false;
    this.#hasAnswered = true;
    this.#quietMs = 0;
    if (!socket.writable) return;
    const hasRoom = socket.write(answer, encoding);
    if (this.#isLast()) socket.end();
    else if (socket.readableLength > 0) this.#handOver();
    else if (!hasRoom) this.#awaitRoom();
  }

  /** A client that does not read its answers is not read from either. */
  #awaitRoom(): void {
    this.#socket.pause();
    this.#socket.once('drain', () => this.#socket.resume());
  }

  readonly #onEnd = (): void => {
    this.#hasPeerEnded = true;
    if (this.#isAnswering) return;
    if (this.#heldBytes > 0) answerEarlyEnd(this.#socket);
    else this.#socket.end();
  };

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#lane.leave(this);
  };

  #handOver(): void {
    const socket = this.#socket;
    this.#lane.leave(this);
    socket.pause();
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    if (this.#heldBytes > 0) socket.unshift(Buffer.concat(this.#held));
    this.#lane.handOver(socket);
    socket.resume();
  }
}
