import { useEffect, useMemo, useState } from 'preact/hooks';
import { useApiParts } from '#api/api-context.ts';
import { listenForReturn } from '#browser/listen-for-return.ts';
import { mayChange } from '../view/periods.ts';
import type { View } from '../view/view.ts';
import { createViewTransition, type ViewTransition } from './create-view-transition.ts';

/** A view, and the day that its period is counted back from. */
export type Subject = { view: View; today: string };

/** The state that all questions of the page share. */
export type Asking = {
  wanted: Subject;
  shown: Subject;
  /** Increases when everything has to be asked again. */
  round: number;
  askAgain: () => void;
  transition: ViewTransition<Subject>;
};

const refreshMs = 30_000;
/**
 * Gives the answers right after the first one time to arrive, so that the page doesn't change in many steps.
 */
const graceMs = 120;
const slowMs = 2_000;

/** Tracks the wanted view, the shown view, and when to ask again. */
export function useAskingState(wanted: Subject): Asking {
  const { connection } = useApiParts();
  const [shown, setShown] = useState(wanted);
  const [round, setRound] = useState(0);
  const transition = useMemo(() => createViewTransition<Subject>({ graceMs, slowMs, turn: setShown }), []);
  useEffect(() => {
    if (wanted !== shown) transition.want(wanted);
  }, [wanted]);
  useEffect(() => transition.stop, [transition]);

  const isOver = !mayChange(wanted.view.period, wanted.today);
  useEffect(() => {
    if (isOver) return;
    const askAgain = () => document.visibilityState === 'visible' && setRound((last) => last + 1);
    const timer = setInterval(askAgain, refreshMs);
    const stopListening = listenForReturn(askAgain);
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [isOver]);
  useEffect(() => connection.listen((isLost) => !isLost && setRound((last) => last + 1)), [connection]);

  return useMemo(
    () => ({ wanted, shown, round, askAgain: () => setRound((last) => last + 1), transition }),
    [wanted, shown, round, transition],
  );
}
