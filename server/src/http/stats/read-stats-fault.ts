import { type StatsFaultCode, statsFaults } from '@trackside/contract/stats/fault-codes.ts';
import { ControlError } from '../../control/database/control-error.ts';
import { DaysNotReady } from '../../stats/days/ready-days.ts';
import { QuestionTooLarge, StoreAway } from '../../stats/faults.ts';
import { QuestionError } from '../../stats/question/question-error.ts';

export type StatsFault = {
  /** The HTTP status. */
  code: number;
  fault: StatsFaultCode;
  message: string;
  retryAfterSeconds?: number;
  /** It is a fault of the server, which belongs in the log. */
  isOurs: boolean;
};

/** Makes the fault that is sent for a question that could not be answered. */
export function readStatsFault(error: unknown): StatsFault {
  if (error instanceof QuestionError) return statsFault(error.fault, error.message);
  if (error instanceof QuestionTooLarge) return statsFault('question-too-large', error.message);
  if (error instanceof ControlError && error.reason === 'busy') return statsFault('busy', error.message, 2);
  if (error instanceof DaysNotReady) return statsFault(error.fault, inAMoment(error), 5);
  if (error instanceof StoreAway) return statsFault(error.fault, inAMoment(error), 2);
  return { ...statsFault('internal', 'Internal fault: try again', 5), isOurs: true };
}

/** Makes a fault that is not the server's own. */
export function statsFault(fault: StatsFaultCode, message: string, retryAfterSeconds?: number): StatsFault {
  const answer = { code: statsFaults[fault], fault, message, isOurs: false };
  return retryAfterSeconds === undefined ? answer : { ...answer, retryAfterSeconds };
}

const inAMoment = ({ message }: Error) =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}: try again in a moment`;
