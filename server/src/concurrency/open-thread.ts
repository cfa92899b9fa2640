import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';

/** A thread that answers requests one after the other, in the order in which they were made. */
export type Thread<Asked, Answer> = {
  ask(asked: Asked): Promise<Answer>;
  /** False when the thread has ended. Every request fails then, and a new thread is needed. */
  isAlive(): boolean;
  /** Answers the requests that were made before, then ends. */
  close(): Promise<void>;
};

export type ThreadAnswer<Answer> =
  | 'ready'
  | { answer: Answer }
  | { error: Error; details: Record<string, unknown> };

type Waiting<Answer> = ReturnType<typeof Promise.withResolvers<Answer>>;

/** Starts a module that calls answerOnThread. Rejects when the thread fails before it is ready. */
export async function openThread<Asked, Answer>(options: {
  module: URL;
  data?: unknown;
  /** Used in error messages, such as "the control database". */
  name: string;
}): Promise<Thread<Asked, Answer>> {
  // The thread needs nothing else from the environment. Compiled code halves the memory and the time that it
  // takes to start.
  const cacheFolder = getCompileCacheDir();
  const env = cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: cacheFolder };
  const worker = new Worker(options.module, { workerData: options.data, env });
  const waiting: Waiting<Answer>[] = [];
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let fault: Error | undefined;
  let isClosing = false;

  worker.on('message', (message: ThreadAnswer<Answer>) => {
    if (message === 'ready') {
      ready.resolve();
      worker.unref();
      return;
    }
    // If nobody has asked yet, the start has failed.
    const { resolve, reject } = waiting.shift() ?? ready;
    // A process that has nothing else to do may end, but not while someone is waiting for an answer.
    if (waiting.length === 0 && !isClosing) worker.unref();
    if ('error' in message) reject(Object.assign(message.error, message.details));
    else (resolve as (answer: Answer) => void)(message.answer);
  });
  worker.on('error', (error: Error) => {
    fault = error;
  });
  // If an answer doesn't arrive, every later one would go to the wrong request.
  worker.on('messageerror', (error: Error) => {
    fault = error;
    void worker.terminate();
  });
  worker.on('exit', () => {
    fault ??= new Error('it was stopped');
    const reason = new Error(`The thread for ${options.name} has ended: ${fault.message}`, { cause: fault });
    ready.reject(reason);
    for (const { reject } of waiting.splice(0)) reject(reason);
    ended.resolve();
  });
  await ready.promise;

  return {
    isAlive: () => fault === undefined && !isClosing,
    async ask(asked) {
      if (fault !== undefined || isClosing)
        throw new Error(
          `The thread for ${options.name} does not answer: ${fault?.message ?? 'it is being closed'}`,
        );
      worker.postMessage(asked);
      const answered: Waiting<Answer> = Promise.withResolvers();
      if (waiting.push(answered) === 1) worker.ref();
      return await answered.promise;
    },
    async close() {
      if (!isClosing && fault === undefined) {
        isClosing = true;
        worker.ref();
        worker.postMessage('close');
      }
      await ended.promise;
    },
  };
}
