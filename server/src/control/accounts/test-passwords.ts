/** Shows tests the requests to the thread that hashes passwords, and lets tests answer in its place. */
import type { Argon2Parameters } from 'node:crypto';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';

export type AskedPassword = {
  parameters: Argon2Parameters;
  /** Answers as if the password were wrong. */
  answer: () => void;
  /** Ends the thread that was asked. */
  end: () => Promise<number>;
};

const isPassword = (message: unknown): message is Argon2Parameters =>
  typeof message === 'object' && message !== null && 'nonce' in message;

/** Without `isHeld`, the thread is asked as usual, after `onAsked`. */
export function watchPasswords(
  t: TestContext,
  {
    isHeld = false,
    onAsked = () => {},
  }: { isHeld?: boolean; onAsked?: (parameters: Argon2Parameters) => unknown } = {},
): AskedPassword[] {
  const asked: AskedPassword[] = [];
  const { postMessage } = Worker.prototype;
  t.mock.method(Worker.prototype, 'postMessage', function (this: Worker, message: unknown) {
    if (!isPassword(message)) return postMessage.call(this, message);
    const answer = () => {
      this.emit('message', { answer: new Uint8Array(message.tagLength) });
    };
    asked.push({ parameters: message, answer, end: () => this.terminate() });
    const seen = Promise.resolve(onAsked(message));
    if (!isHeld) void seen.then(() => postMessage.call(this, message));
  });
  return asked;
}
