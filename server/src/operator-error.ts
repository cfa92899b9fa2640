/** A fault that the person who runs Trackside can fix. Its message says how, and is shown without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
