import type { Fault } from '#api/fault.ts';

/** What the answers say besides their numbers. */
export type AnswerStatus = {
  /** The time up to which records are counted, by the newest answer. */
  asOf: string | undefined;
  /** Why some numbers are delayed. */
  delay: Fault | undefined;
  /** Whether the page has been waiting for longer than people expect. */
  isSlow: boolean;
};

/**
 * Decides when the page changes from the shown view to the wanted one: when all of its answers have arrived,
 * or a moment after the first. Until then, the old numbers stay under their own labels. Because it is told
 * about every question, it also knows what the page is waiting for.
 */
export type ViewTransition<Subject> = {
  want(subject: Subject): void;
  /** A question about the wanted view was asked. */
  begin(question: object): void;
  answered(question: object, asOf: string): void;
  /** The question won't be answered. */
  failed(question: object): void;
  /** The question will be asked again after a while. */
  delayed(question: object, fault: Fault): void;
  /** Nobody waits for the answer anymore. */
  dropped(question: object): void;
  status(): AnswerStatus;
  listen(listener: (status: AnswerStatus) => void): () => void;
  stop(): void;
};

type Options<Subject> = { graceMs: number; slowMs: number; turn: (to: Subject) => void };

export function createViewTransition<Subject>(options: Options<Subject>): ViewTransition<Subject> {
  const { graceMs, slowMs, turn } = options;
  const pending = new Set<object>();
  const delays = new Map<object, Fault>();
  const listeners = new Set<(status: AnswerStatus) => void>();
  let status: AnswerStatus = { asOf: undefined, delay: undefined, isSlow: false };
  let wanted: Subject | undefined;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let slow: ReturnType<typeof setTimeout> | undefined;
  let isSlow = false;

  function stop(): void {
    clearTimeout(soon);
    clearTimeout(grace);
    grace = undefined;
  }
  function turnNow(): void {
    stop();
    if (wanted === undefined) return;
    const to = wanted;
    wanted = undefined;
    turn(to);
  }
  /** Waits for a turn of the event loop, because one panel drops its question before the next one asks. */
  function turnIfDone(): void {
    clearTimeout(soon);
    soon = setTimeout(() => pending.size === 0 && turnNow(), 0);
  }
  function end(question: object, isSettled: boolean): void {
    delays.delete(question);
    if (!pending.delete(question)) return;
    if (pending.size === 0) {
      clearTimeout(slow);
      isSlow = false;
    }
    if (pending.size === 0) turnIfDone();
    else if (isSettled && wanted !== undefined) grace ??= setTimeout(turnNow, graceMs);
  }
  function updateStatus(asOf = status.asOf): void {
    const [delay] = delays.values();
    if (asOf === status.asOf && delay === status.delay && isSlow === status.isSlow) return;
    status = { asOf, delay, isSlow };
    for (const listener of listeners) listener(status);
  }

  return {
    want(subject) {
      stop();
      wanted = subject;
      turnIfDone();
    },
    begin(question) {
      if (pending.size === 0) {
        slow = setTimeout(() => {
          isSlow = true;
          updateStatus();
        }, slowMs);
      }
      pending.add(question);
    },
    answered(question, asOf) {
      end(question, true);
      const isNewer = status.asOf === undefined || asOf > status.asOf;
      updateStatus(isNewer ? asOf : status.asOf);
    },
    failed(question) {
      end(question, true);
      updateStatus();
    },
    delayed(question, fault) {
      delays.set(question, fault);
      updateStatus();
    },
    dropped(question) {
      end(question, false);
      updateStatus();
    },
    status: () => status,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop() {
      stop();
      clearTimeout(slow);
    },
  };
}
