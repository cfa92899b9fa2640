import { OperatorError } from '../core/operator-error.ts';

/** A request to control that cannot be met as asked; the message is meant for the person who asked. */
export class ControlError extends OperatorError {
  override name = 'ControlError';
  readonly reason: 'not-found' | 'already-exists' | 'invalid';

  constructor(reason: ControlError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Control cannot be opened until the operator does something; the message says what. */
export class ControlOpenError extends OperatorError {
  override name = 'ControlOpenError';
}
