/** The shape of every body. Bodies of the tracking endpoints have only the first two members. */
export type AnswerBody = { Code: number; Message: string; fault?: string };

/**
 * Returns the text of a body. Programs decide by `fault`, which stays the same when the message is reworded.
 */
export function answerText(code: number, message: string, fault?: string): string {
  const body: AnswerBody = { Code: code, Message: message };
  if (fault !== undefined) body.fault = fault;
  return JSON.stringify(body);
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
