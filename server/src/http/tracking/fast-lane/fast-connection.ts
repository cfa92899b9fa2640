import assert from 'node:assert';
import type { Socket } from 'node:net';
import type { OpenRequest, RefusedRequest } from '../../../intake/create-intake.ts';
import { answerUnfinished } from '../../server/answer-client-error.ts';
import { endAndLinger } from '../../server/end-and-linger.ts';
import { HeldBytes } from '../../server/held-bytes.ts';
import type { Tracking } from '../create-tracking.ts';
import type { TrackingReply } from '../tracking-reply.ts';
import { formatAnswer, formatSuccess, type PlainRequest, readPlainRequest } from './plain-http.ts';

type Lane = {
  tracking: Tracking;
  /** How long a whole request may take, from its first byte. */
  requestMs: number;
  /** How long a connection may be idle: shorter while the server stops. */
  idleMs(): number;
  isStopping: boolean;
  /** The headers that end an answer. */
  ending(isLast: boolean): string;
  /** Hands on the connection, which is paused, with everything that has yet to be read from it. */
  handOver(socket: Socket): void;
  leave(connection: FastConnection): void;
  /** Called after a connection was found in an impossible state and closed without an answer. */
  onBroken(error: unknown): void;
};

/** A new connection that stays silent for longer is handed to Node, which limits the time for a head. */
const patienceMs = 2000;

/**
 * `idle`: between requests. `reading`: part of a request is here, and the rest has yet to come. `answering`:
 * the request is complete, and whatever follows it waits. `released`: only the end of the connection is left.
 */
type State = 'idle' | 'reading' | 'answering' | 'released';
const receiving: readonly State[] = ['idle', 'reading', 'answering'];

/** A connection in the fast lane. It answers each request before it looks at the next. */
export class FastConnection implements TrackingReply {
  readonly #socket: Socket;
  readonly #lane: Lane;
  /** The request that is being read or answered. */
  #request: PlainRequest | undefined;
  /** What intake made of the headers of that request. */
  #opened: OpenRequest | RefusedRequest | undefined;
  #isAnswering = false;
  /** The bytes that have come of the request that is being read. */
  #held: HeldBytes | undefined;
  #hasAnswered = false;
  #hasPeerEnded = false;
  /** The time since the current request began or, between requests, since the last answer. */
  #spentMs = 0;

  constructor(socket: Socket, lane: Lane) {
    this.#socket = socket;
    this.#lane = lane;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** Called when some time has passed and everything that arrived in it has been read. */
  tick(ms: number): void {
    this.#spentMs += ms;
    if (this.#isAnswering) return;
    if (this.#request !== undefined) {
      // Counted from the first byte, no matter what has come since: one byte a second is no progress.
      if (this.#spentMs > this.#lane.requestMs) this.#giveUp('late');
    } else if (this.#hasAnswered || this.#lane.isStopping) {
      if (this.#spentMs > this.#lane.idleMs()) this.#end();
    } else if (this.#spentMs > patienceMs) this.#handOver();
  }

  /** The server is stopping: the time for which the connection is idle counts from now. */
  stop(): void {
    if (this.#request === undefined) this.#spentMs = 0;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.#isIn(receiving, 'Bytes may arrive only while a request is read, answered or about to begin.'))
      return;
    if (this.#isAnswering) {
      this.#putBack(chunk);
      return;
    }
    if (this.#request !== undefined) {
      this.#held!.add(chunk);
      if (this.#held!.length >= this.#request.end) this.#take(this.#request, this.#held!.bytes());
      return;
    }
    // The time for the first request counts from the opening of the connection, as it does in Node.
    if (this.#hasAnswered) this.#spentMs = 0;
    const request = readPlainRequest(chunk);
    if (request === undefined) {
      this.#handOver(chunk);
      return;
    }
    const opened = this.#lane.tracking.open(request.kind, request);
    const isWhole = chunk.length >= request.end;
    // Without a valid key, nobody waits for the body: Node's side refuses such a request by its head. It also
    // waits until a key that may be new is looked up.
    const isUnknown = opened.website === undefined;
    if (isUnknown && (!isWhole || this.#lane.tracking.canOpenLater(opened, request))) {
      this.#handOver(chunk);
      return;
    }
    this.#request = request;
    this.#opened = opened;
    if (isWhole) this.#take(request, chunk);
    else this.#held = new HeldBytes(chunk, request.end);
  };

  /** Pipelined requests are for Node: until the answer is given, the socket keeps them, and its end. */
  #putBack(bytes: Buffer): void {
    this.#socket.pause();
    this.#socket.unshift(bytes);
  }

  #take(request: PlainRequest, bytes: Buffer): void {
    this.#isAnswering = true;
    this.#held = undefined;
    if (bytes.length > request.end) this.#putBack(bytes.subarray(request.end));
    const { tracking } = this.#lane;
    const opened = this.#opened!;
    if ('refused' in opened) tracking.refuse(opened, request.kind, opened, this);
    else tracking.take(opened, bytes.subarray(request.bodyStart, request.end), this);
  }

  success(headers: readonly string[]): void {
    this.#write(formatSuccess(headers, this.#lane.ending(this.#isLast())), 'latin1');
  }

  other(code: number, headers: readonly string[], text: string): void {
    this.#write(formatAnswer(code, headers, text, this.#lane.ending(this.#isLast())), 'utf8');
  }

  #isLast(): boolean {
    // Requests that came behind this one are answered too before the connection is closed.
    return this.#hasPeerEnded || (this.#lane.isStopping && this.#socket.readableLength === 0);
  }

  #write(answer: string, encoding: 'latin1' | 'utf8'): void {
    if (
      !this.#isIn(['answering'], 'An answer must belong to the last request, or it acknowledges another one.')
    )
      return;
    const socket = this.#socket;
    this.#request = undefined;
    this.#isAnswering = false;
    this.#hasAnswered = true;
    this.#spentMs = 0;
    if (!socket.writable) return;
    const hasRoom = socket.write(answer, encoding);
    if (this.#isLast()) this.#end();
    else if (socket.readableLength > 0) this.#handOver();
    else if (!hasRoom) this.#awaitRoom();
  }

  /** Stops reading from a client that does not read its answers. */
  #awaitRoom(): void {
    this.#socket.pause();
    this.#socket.once('drain', () => this.#socket.resume());
  }

  readonly #onEnd = (): void => {
    this.#hasPeerEnded = true;
    if (this.#isAnswering) return;
    if (this.#request !== undefined) this.#giveUp('ended');
    else this.#socket.end();
  };

  /** The rest of the request will not come, or would come too late. */
  #giveUp(why: 'ended' | 'late'): void {
    if (!this.#isIn(['reading'], 'Only an incomplete request can be given up.')) return;
    this.#release();
    this.#lane.tracking.noteUnfinished();
    answerUnfinished(this.#socket, why);
  }

  #end(): void {
    this.#release();
    endAndLinger(this.#socket);
  }

  /** Takes nothing more from this connection, because a record that came now could not be answered. */
  #release(): void {
    this.#socket.off('data', this.#onData);
    this.#request = undefined;
    this.#held = undefined;
    this.#isAnswering = true;
  }

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    if (this.#held !== undefined) this.#lane.tracking.noteUnfinished();
    this.#lane.leave(this);
  };

  #handOver(bytes?: Buffer): void {
    if (!this.#isIn(['idle'], 'Node must take over a connection between two requests, or it misses bytes.'))
      return;
    const socket = this.#socket;
    this.#lane.leave(this);
    socket.pause();
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    if (bytes !== undefined) socket.unshift(bytes);
    this.#lane.handOver(socket);
  }

  /**
   * Returns false if the connection is in none of these states, and closes it: no answer is better than an
   * answer to the wrong request. It does not throw, because the journal calls it in the middle of a group of
   * answers.
   */
  #isIn(states: readonly State[], why: string): boolean {
    try {
      assert(states.includes(this.#state()), why);
      return true;
    } catch (error) {
      this.#lane.onBroken(error);
      this.#release();
      this.#socket.destroy();
      return false;
    }
  }

  /** The state that the fields amount to. */
  #state(): State {
    if (this.#isAnswering) {
      assert(
        this.#held === undefined,
        'Bytes may be held only for a request that is being read, not answered.',
      );
      return this.#request === undefined ? 'released' : 'answering';
    }
    const isReading = this.#request !== undefined;
    assert.equal(
      this.#held !== undefined,
      isReading,
      'A request that is being read must have the bytes that arrived.',
    );
    return isReading ? 'reading' : 'idle';
  }
}
