/**
 * Why the statistics do not answer, by the code that stands beside the message in the member `fault`. Messages are for
 * people and may change; programs decide by these codes, which do not.
 */
export const statsFaults = {
  'body-invalid': 'the body is not JSON in UTF-8',
  'question-invalid': 'the question is not as described',
  unauthorized: 'nothing that came with the request allows to read this website',
  'not-found': 'there is nothing at this path',
  'method-not-allowed': 'questions are sent by POST',
  'body-too-large': 'the body has more bytes than one request may have',
  'question-too-large': 'the question needs more time or memory than one question may use',
  busy: 'too much is asked at once',
  'being-calculated': 'days of the period are being added up for the first time',
  'engine-away': 'the store restarts or is being set up',
  'website-not-ready': 'the website was added a moment ago',
  stopping: 'the server is stopping',
  internal: 'a fault of the server, which its log explains',
} as const;

export type StatsFaultCode = keyof typeof statsFaults;
