import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { View } from '../view/view.ts';
import type { AnswerStatus } from './create-answer-status.ts';
import type { KeptAnswers } from './create-kept-answers.ts';
import type { ViewTransition } from './create-view-transition.ts';

/** A view, and the day from which its period is counted back. */
export type Subject = { view: View; today: string };

/** What all questions of the page have in common. */
export type Asking = {
  wanted: Subject;
  shown: Subject;
  /** Goes up when everything is to be asked again. */
  round: number;
  kept: KeptAnswers;
  transition: ViewTransition<Subject>;
  status: AnswerStatus;
};

export const AskingContext = createContext<Asking | undefined>(undefined);

export function useAsking(): Asking {
  const asking = useContext(AskingContext);
  if (asking === undefined) throw new Error('expected to be inside of AskingContext');
  return asking;
}
