import { type AppFaultCode, appFaults } from '@trackside/contract/app/fault-codes.ts';

/** The reason why a request of the web application fails. It becomes the answer as it is. */
export class AppFault extends Error {
  override name = 'AppFault';
  readonly fault: AppFaultCode;
  /** What is wrong with each field of the form. */
  readonly fields: Record<string, string> | undefined;
  readonly headers: Record<string, string>;
  /** Additional members of the answer. */
  readonly more: Record<string, unknown>;

  constructor(
    fault: AppFaultCode,
    message: string,
    about: {
      fields?: Record<string, string>;
      headers?: Record<string, string>;
      more?: Record<string, unknown>;
    } = {},
  ) {
    super(message);
    this.fault = fault;
    this.fields = about.fields;
    this.headers = about.headers ?? {};
    this.more = about.more ?? {};
  }

  /** The HTTP status. */
  get code(): number {
    return appFaults[this.fault];
  }
}

/** Returns the same fault for what does not exist and for what this user may not see. */
export const notFound = () =>
  new AppFault('not-found', "Not found: this doesn't exist, or you don't have access");
