/**
 * Returns the body of an answer of the tracking endpoints, and of every path and request that is not one of
 * ours: a client of the tracking interface understands it.
 */
export function answerText(code: number, message: string): string {
  return JSON.stringify({ Code: code, Message: message });
}

/**
 * Returns the body of a fault of our own paths. Programs decide by `fault`, which stays the same when the
 * message is reworded.
 */
export function faultText(code: number, fault: string, message: string): string {
  return JSON.stringify({ code, fault, message });
}

/** Sent with every answer, so that browsers never guess a type other than its Content-Type. */
export const safeHeaders = ['X-Content-Type-Options', 'nosniff'] as const;

export const successText = answerText(200, 'Success');
export const successHeaders: readonly string[] = [
  'Content-Type',
  'application/json',
  'Content-Length',
  String(successText.length),
  ...safeHeaders,
];
