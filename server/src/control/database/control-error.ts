import { OperatorError } from '../../operator-error.ts';

/** A request that control can't fulfill. The message is meant for the person who made the request. */
export class ControlError extends OperatorError {
  override name = 'ControlError';
  readonly reason: 'not-found' | 'already-exists' | 'invalid' | 'conflict' | 'not-allowed' | 'busy';
  /** The form field that the error is about. */
  readonly field: string | undefined;

  constructor(reason: ControlError['reason'], message: string, field?: string) {
    super(message);
    this.reason = reason;
    this.field = field;
  }
}

/** The error for a request that can't be served right now because too many are waiting. */
export const tooManyAtOnce = (): ControlError =>
  new ControlError('busy', 'Too many requests at once. Try again in a few seconds.');

/** The control database is missing where there should be one. */
export class ControlMissingError extends OperatorError {
  override name = 'ControlMissingError';
}

/** Control can't be opened until the operator does something. The message says what to do. */
export class ControlOpenError extends OperatorError {
  override name = 'ControlOpenError';
}

/** The secret key is missing, damaged, or not the one of the control database. */
export class SecretKeyError extends ControlOpenError {
  override name = 'SecretKeyError';
}
