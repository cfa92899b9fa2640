import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Fault } from '#api/fault.ts';
import { useAnalytics } from '../analytics-context.ts';
import { type AskedPeriod, periodOf } from '../view/periods.ts';
import type { View } from '../view/view.ts';
import { keyOf } from './create-asker.ts';
import type { Subject } from './use-asking-state.ts';

export type Answered<K extends StatsKind> = {
  /** The answer for the shown view. Undefined until it arrives. */
  answer: Answers[K] | undefined;
  /** Why there will be no answer without a retry. Delays are reported once for the whole page instead. */
  fault: Fault | undefined;
  /** A newer answer is on its way. */
  isBusy: boolean;
  retry: () => void;
};

type ToQuestion<K extends StatsKind> = (
  view: View,
  period: AskedPeriod,
  today: string,
) => Questions[K] | undefined;

/** Younger answers are not asked for again. */
const freshMs = 10_000;
const reconnectMs = 3_000;

/**
 * Asks a question about the view and returns its answer. `toQuestion` may return undefined to ask nothing.
 */
export function useAnswer<K extends StatsKind>(kind: K, toQuestion: ToQuestion<K>): Answered<K> {
  const { asker, asking } = useAnalytics();
  const { wanted, shown, round, transition } = asking;
  const about = ({ view, today }: Subject) => toQuestion(view, periodOf(view, today), today);
  const question = about(wanted);
  const wantedKey = question && keyOf(kind, question);
  const shownQuestion = wanted === shown ? question : about(shown);
  const shownKey = shownQuestion && keyOf(kind, shownQuestion);
  const [failure, setFailure] = useState<{ key: string; fault: Fault }>();
  const [attempt, setAttempt] = useState(0);
  const [, setAnswers] = useState(0);
  const retry = useCallback(() => {
    setFailure(undefined);
    setAttempt((last) => last + 1);
  }, []);

  useEffect(() => {
    if (wantedKey === undefined || question === undefined) return;
    const last = asker.recall(wantedKey);
    if (last !== undefined && last.ageMs < freshMs) {
      // Another component that asked the same got the answer after this one was rendered.
      if (last.answer !== answer) setAnswers((count) => count + 1);
      return;
    }
    const aborter = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (last === undefined) transition.begin(aborter);

    async function ask(key: string, asked: Questions[K]): Promise<void> {
      const answer = await asker.ask(kind, asked, aborter.signal);
      if (answer.isOk) {
        transition.answered(aborter, answer.value.asOf);
        setFailure(undefined);
        setAnswers((count) => count + 1);
        return;
      }
      const { fault } = answer;
      const waitMs = waitMsOf(fault);
      if (waitMs === undefined) {
        transition.failed(aborter);
        setFailure({ key, fault });
      } else {
        transition.delayed(aborter, fault);
        timer = setTimeout(() => start(key, asked), waitMs);
      }
    }
    function start(key: string, asked: Questions[K]): void {
      ask(key, asked).catch((error) => {
        if (!aborter.signal.aborted) throw error;
      });
    }
    start(wantedKey, question);
    return () => {
      aborter.abort();
      clearTimeout(timer);
      transition.dropped(aborter);
    };
  }, [asker, wantedKey, round, attempt]);

  const answer =
    shownKey === undefined ? undefined : (asker.recall(shownKey)?.answer as Answers[K] | undefined);
  const fault = failure !== undefined && failure.key === shownKey ? failure.fault : undefined;
  const isMissing = shownKey !== undefined && answer === undefined && fault === undefined;
  return { answer, fault, isBusy: wantedKey !== shownKey || isMissing, retry };
}

/** How long to wait before asking again. Undefined for a fault that would stay the same. */
function waitMsOf(fault: Fault): number | undefined {
  if (fault.kind === 'unavailable') return fault.waitSeconds * 1_000;
  return fault.kind === 'unreachable' ? reconnectMs : undefined;
}
