import type { Fault } from '#api/fault.ts';

export type AnswerStatusState = {
  /** Up to when everything is counted, by the newest answer. */
  asOf: string | undefined;
  /** Why some numbers have to be waited for. */
  delay: Fault | undefined;
};

export type AnswerStatus = ReturnType<typeof createAnswerStatus>;

/** What the answers tell besides their numbers. */
export function createAnswerStatus() {
  const delays = new Map<object, Fault>();
  const listeners = new Set<(state: AnswerStatusState) => void>();
  let state: AnswerStatusState = { asOf: undefined, delay: undefined };
  function change(next: AnswerStatusState): void {
    if (next.asOf === state.asOf && next.delay === state.delay) return;
    state = next;
    for (const listener of listeners) listener(state);
  }
  const delay = () => delays.values().next().value;
  return {
    state: () => state,
    listen(listener: (state: AnswerStatusState) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    answered(question: object, asOf: string): void {
      delays.delete(question);
      const isNewer = state.asOf === undefined || asOf > state.asOf;
      change({ asOf: isNewer ? asOf : state.asOf, delay: delay() });
    },
    delayed(question: object, fault: Fault): void {
      delays.set(question, fault);
      change({ ...state, delay: delay() });
    },
    /** Nobody waits for it any more. */
    dropped(question: object): void {
      if (delays.delete(question)) change({ ...state, delay: delay() });
    },
  };
}
