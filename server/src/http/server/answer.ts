/** The one shape of every body. Those of the tracking endpoints have exactly the first two members. */
export type AnswerBody = { Code: number; Message: string; fault?: string };

/** `fault` is the code by which programs decide; it stays when the words of the message change. */
export function answerText(code: number, message: string, fault?: string): string {
  const body: AnswerBody = { Code: code, Message: message };
  if (fault !== undefined) body.fault = fault;
  return JSON.stringify(body);
}

/** On every answer: what we send is never to be taken for anything but what its Content-Type says. */
export const safeHeaders = ['X-Content-Type-Options', 'nosniff'] as const;

export const successText = answerText(200, 'Success');
export const successHeaders: readonly string[] = [
  ...['Content-Type', 'application/json', 'Content-Length', String(successText.length)],
  ...safeHeaders,
];
