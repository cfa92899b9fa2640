import type { Fault } from '#api/fault.ts';

/** What the answers tell besides their numbers. */
export type AnswerStatus = {
  /** Up to when everything is counted, by the newest answer. */
  asOf: string | undefined;
  /** Why some numbers have to be waited for. */
  delay: Fault | undefined;
};

/**
 * Decides when the page goes over from the view it shows to the one that is wanted: when all of its answers
 * are there, or a moment after the first. Until then, the old numbers stay under their own labels. Because it
 * hears of every question, it also knows what the page waits for.
 */
export type ViewTransition<Subject> = {
  want(subject: Subject): void;
  /** A question about the wanted view is on its way. */
  begin(question: object): void;
  answered(question: object, asOf: string): void;
  /** There will be no answer. */
  failed(question: object): void;
  /** It will be asked again after a while. */
  delayed(question: object, fault: Fault): void;
  /** Nobody waits for the answer anymore. */
  dropped(question: object): void;
  status(): AnswerStatus;
  listen(listener: (status: AnswerStatus) => void): () => void;
  stop(): void;
};

type Options<Subject> = { graceMs: number; turn: (to: Subject) => void };

export function createViewTransition<Subject>({ graceMs, turn }: Options<Subject>): ViewTransition<Subject> {
  const pending = new Set<object>();
  const delays = new Map<object, Fault>();
  const listeners = new Set<(status: AnswerStatus) => void>();
  let status: AnswerStatus = { asOf: undefined, delay: undefined };
  let wanted: Subject | undefined;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let grace: ReturnType<typeof setTimeout> | undefined;

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
  /** Not at once: one part of the page gives its question up before the next one begins its own. */
  function turnIfDone(): void {
    clearTimeout(soon);
    soon = setTimeout(() => pending.size === 0 && turnNow(), 0);
  }
  function end(question: object, isSettled: boolean): void {
    delays.delete(question);
    if (!pending.delete(question)) return;
    if (pending.size === 0) turnIfDone();
    else if (isSettled && wanted !== undefined) grace ??= setTimeout(turnNow, graceMs);
  }
  function updateStatus(asOf = status.asOf): void {
    const [delay] = delays.values();
    if (asOf === status.asOf && delay === status.delay) return;
    status = { asOf, delay };
    for (const listener of listeners) listener(status);
  }

  return {
    want(subject) {
      stop();
      wanted = subject;
      turnIfDone();
    },
    begin: (question) => void pending.add(question),
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
    stop,
  };
}
