/** Why a request of the web application is not met; becomes the answer as it is. */
export class AppFault extends Error {
  override name = 'AppFault';
  readonly code: number;
  /** What is wrong, by the field of the form. */
  readonly fields: Record<string, string> | undefined;
  readonly headers: Record<string, string>;
  /** More that the answer has to say. */
  readonly more: Record<string, unknown>;

  constructor(
    code: number,
    message: string,
    about: {
      fields?: Record<string, string>;
      headers?: Record<string, string>;
      more?: Record<string, unknown>;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.fields = about.fields;
    this.headers = about.headers ?? {};
    this.more = about.more ?? {};
  }
}

/** The same for what is not there and for what this user may not see. */
export const notFound = () => new AppFault(404, 'Not found: there is nothing here, or not for you');
