import type { StatsFaultCode } from '@trackside/contract/stats/fault-codes.ts';

/** A fault in a question. The message says what is wrong and where. */
export class QuestionError extends Error {
  override name = 'QuestionError';
  readonly fault: StatsFaultCode;

  constructor(
    message: string,
    fault: 'question-invalid' | 'goal-unknown' | 'segment-unknown' = 'question-invalid',
  ) {
    super(message);
    this.fault = fault;
  }
}
