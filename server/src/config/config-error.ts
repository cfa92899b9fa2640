import { OperatorError } from '../operator-error.ts';

/** A setting has an unusable value. The message is one line that says what to do. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError';
}
