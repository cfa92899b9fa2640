import { ControlError } from '../../control/database/control-error.ts';
import { DaysNotReady } from '../../stats/days/ready-days.ts';
import { QuestionTooLarge, StoreAway } from '../../stats/faults.ts';
import { QuestionError } from '../../stats/question/read-question.ts';

export type StatsFault = {
  code: number;
  message: string;
  retryAfterSeconds?: number;
  /** Nobody's mistake but ours: it belongs into the log. */
  isOurs: boolean;
};

/** What a question that could not be answered is answered with. */
export function readStatsFault(error: unknown): StatsFault {
  if (error instanceof QuestionError) return { code: 400, message: error.message, isOurs: false };
  if (error instanceof ControlError && error.reason === 'busy')
    return { code: 503, message: error.message, retryAfterSeconds: 2, isOurs: false };
  if (error instanceof QuestionTooLarge) return { code: 422, message: error.message, isOurs: false };
  if (error instanceof DaysNotReady)
    return {
      code: 503,
      message: `${capital(error.message)}: try again in a moment`,
      retryAfterSeconds: 5,
      isOurs: false,
    };
  if (error instanceof StoreAway)
    return {
      code: 503,
      message: `${capital(error.message)}: try again in a moment`,
      retryAfterSeconds: 2,
      isOurs: false,
    };
  return { code: 503, message: 'Internal fault: try again', retryAfterSeconds: 5, isOurs: true };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
