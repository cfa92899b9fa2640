import { type AppFaultCode, appFaults } from '@trackside/contract/app/fault-codes.ts';

/** Why a request of the web application is not met; becomes the answer as it is. */
export class AppFault extends Error {
  override name = 'AppFault';
  readonly fault: AppFaultCode;
  /** What is wrong, by the field of the form. */
  readonly fields: Record<string, string> | undefined;
  readonly headers: Record<string, string>;
  /** More that the answer has to say. */
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

/** The same for what is not there and for what this user may not see. */
export const notFound = () => new AppFault('not-found', 'Not found: there is nothing here, or not for you');
