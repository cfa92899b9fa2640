/**
 * Decides when the page goes over from the view it shows to the one that is wanted: when all of its answers
 * are there, or a moment after the first. Until then, the old numbers stay under their own labels.
 */
export type ViewTransition<Subject> = {
  want(subject: Subject): void;
  /** A question about the wanted view is on its way. */
  begin(question: object): void;
  /** It was answered; or nobody waits for it any more. */
  end(question: object, isAnswered: boolean): void;
  stop(): void;
};

type Options<Subject> = { graceMs: number; turn: (to: Subject) => void };

export function createViewTransition<Subject>({ graceMs, turn }: Options<Subject>): ViewTransition<Subject> {
  const pending = new Set<object>();
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

  return {
    want(subject) {
      stop();
      wanted = subject;
      turnIfDone();
    },
    begin: (question) => void pending.add(question),
    end(question, isAnswered) {
      if (!pending.delete(question)) return;
      if (pending.size === 0) turnIfDone();
      else if (isAnswered && wanted !== undefined) grace ??= setTimeout(turnNow, graceMs);
    },
    stop,
  };
}
