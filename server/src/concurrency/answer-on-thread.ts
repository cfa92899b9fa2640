import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from './open-thread.ts';

/**
 * The other end of openThread: answers every message until it is told to close. If `open` throws, openThread
 * rejects. If `answer` throws, the call that asked rejects.
 */
export function answerOnThread<Asked, Answer>(options: {
  open?: () => void;
  answer: (asked: Asked) => Answer;
  close?: () => void;
}): void {
  const port = parentPort!;
  const send = (message: ThreadAnswer<Answer>) => port.postMessage(message);
  const sendError = (error: unknown) => {
    if (!(error instanceof Error)) throw error;
    // When an error arrives as a copy, it has lost everything except its message, for example SQLite's codes.
    send({ error, details: { ...error } });
  };
  try {
    options.open?.();
  } catch (error) {
    sendError(error);
    return;
  }
  port.on('message', (asked: Asked | 'close') => {
    if (asked === 'close') {
      options.close?.();
      port.close();
      return;
    }
    try {
      send({ answer: options.answer(asked) });
    } catch (error) {
      sendError(error);
    }
  });
  send('ready');
}
