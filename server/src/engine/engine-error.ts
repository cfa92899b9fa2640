/**
 * A failure in the form that ClickHouse uses, so that its client can read our errors like those of a real
 * server.
 */
export class EngineError extends Error {
  readonly code: number;
  readonly httpStatus: number;

  constructor(fault: EngineFault, text: string) {
    super(`Code: ${fault.code}. DB::Exception: ${text} (${fault.type})`);
    this.name = 'EngineError';
    this.code = fault.code;
    this.httpStatus = fault.httpStatus;
  }
}

export type EngineFault = { code: number; type: string; httpStatus: number };

export const faults = {
  notImplemented: { code: 48, type: 'NOT_IMPLEMENTED', httpStatus: 501 },
  noSuchPath: { code: 48, type: 'NOT_IMPLEMENTED', httpStatus: 404 },
  wrongMethod: { code: 48, type: 'NOT_IMPLEMENTED', httpStatus: 405 },
  badArguments: { code: 36, type: 'BAD_ARGUMENTS', httpStatus: 400 },
  unknownSetting: { code: 115, type: 'UNKNOWN_SETTING', httpStatus: 400 },
  unknownParameter: { code: 456, type: 'UNKNOWN_QUERY_PARAMETER', httpStatus: 400 },
  tooManyQueries: { code: 202, type: 'TOO_MANY_SIMULTANEOUS_QUERIES', httpStatus: 503 },
  stopping: { code: 210, type: 'NETWORK_ERROR', httpStatus: 503 },
  noSpace: { code: 243, type: 'NOT_ENOUGH_SPACE', httpStatus: 500 },
  tooLarge: { code: 36, type: 'BAD_ARGUMENTS', httpStatus: 413 },
  internal: { code: 1002, type: 'UNKNOWN_EXCEPTION', httpStatus: 500 },
} as const satisfies Record<string, EngineFault>;

const httpStatusOfCode: Record<number, number> = { 60: 404, 62: 400, 81: 404, 159: 408, 456: 400, 457: 400 };

/** chDB's own errors have the code and the type in their text. Anything else becomes an internal error. */
export function toEngineError(error: unknown): { code: number; httpStatus: number; message: string } {
  if (error instanceof EngineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = Number(/^Code: (\d+)\. /.exec(message)?.[1]);
  if (Number.isNaN(code)) return new EngineError(faults.internal, message);
  return { code, httpStatus: httpStatusOfCode[code] ?? 500, message };
}
