import { OperatorError } from '../../operator-error.ts';

/** A request to control that cannot be met as asked; the message is meant for the person who asked. */
export class ControlError extends OperatorError {
  override name = 'ControlError';
  readonly reason: 'not-found' | 'already-exists' | 'invalid' | 'conflict' | 'not-allowed' | 'busy';
  /** The field of a form that it is about. */
  readonly field: string | undefined;

  constructor(reason: ControlError['reason'], message: string, field?: string) {
    super(message);
    this.reason = reason;
    this.field = field;
  }
}

/** What somebody is told for whom there is no room at the moment. */
export const tooManyAtOnce = (): ControlError =>
  new ControlError('busy', 'Too many requests at once. Try again in a few seconds.');

/** Control cannot be opened until the operator does something; the message says what. */
export class ControlOpenError extends OperatorError {
  override name = 'ControlOpenError';
}
