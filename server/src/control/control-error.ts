/** A request to control that cannot be met as asked; the message is meant for the person who asked. */
export class ControlError extends Error {
  readonly reason: 'not-found' | 'already-exists' | 'invalid';

  constructor(reason: ControlError['reason'], message: string) {
    super(message);
    this.name = 'ControlError';
    this.reason = reason;
  }
}

/** Control cannot be opened until the operator does something; the message says what. */
export class ControlOpenError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ControlOpenError';
  }
}
