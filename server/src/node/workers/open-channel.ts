import type { EventEmitter } from 'node:events';

/** One end of the channel between two processes: a child's, or this process's own. */
type Port = Pick<EventEmitter, 'on'> & { send?: unknown };
type Send = (message: Message, handle: unknown, options: undefined, done: Sent) => void;
type Sent = (error: Error | null) => void;
type Message =
  | { id: number | undefined; question: string; words: unknown[] }
  | { id: number; value?: unknown; fault?: string };
// biome-ignore lint/suspicious/noExplicitAny: any function can be called from the other process.
export type Answers = Record<string, (...words: any[]) => unknown>;

/** The other process has ended, or could not do what it was asked for. */
export class ChannelError extends Error {
  override name = 'ChannelError';
}

/**
 * Lets two processes call each other's functions. A handle that comes with a question is its last word.
 * Nothing that is asked gets lost silently: without an answer, the question fails when the channel closes.
 */
export function openChannel<Others extends Answers>(port: Port, own: Answers) {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let isClosed = false;

  const send = (message: Message, handle?: unknown, done: Sent = () => {}) => {
    if (isClosed || port.send === undefined) return done(new ChannelError('the other process has ended'));
    // Without the callback, a channel that closes at this moment would end this process.
    (port.send as Send).call(port, message, handle, undefined, done);
  };

  port.on('message', async (message: Message, handle: unknown) => {
    if ('question' in message) {
      const { id, question, words } = message;
      try {
        const value = await own[question]!(...words, handle);
        if (id !== undefined) send({ id, value });
      } catch (error) {
        const fault = error instanceof Error ? error.message : String(error);
        if (id !== undefined) send({ id, fault });
      }
      return;
    }
    const { id, value, fault } = message;
    const asker = waiting.get(id);
    waiting.delete(id);
    if (fault !== undefined) asker?.reject(new ChannelError(fault));
    else asker?.resolve(value as never);
  });
  port.on('disconnect', () => {
    isClosed = true;
    for (const { reject } of waiting.values()) reject(new ChannelError('the other process has ended'));
    waiting.clear();
  });

  return {
    ask<Name extends keyof Others & string>(
      question: Name,
      ...words: Parameters<Others[Name]>
    ): Promise<Awaited<ReturnType<Others[Name]>>> {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, question, words }, undefined, (error) => {
          if (error === null || !waiting.delete(id)) return;
          reject(error);
        });
      });
    },
    /** Says something that needs no answer. */
    tell<Name extends keyof Others & string>(question: Name, ...words: Parameters<Others[Name]>): void {
      send({ id: undefined, question, words });
    },
    /** Does the same with a handle. `sent` is called when this process may close it. */
    give<Name extends keyof Others & string>(
      question: Name,
      words: unknown[],
      handle: unknown,
      sent: Sent = () => {},
    ): void {
      send({ id: undefined, question, words }, handle, sent);
    },
  };
}
