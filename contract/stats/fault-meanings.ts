import type { StatsFaultCode } from './fault-codes.ts';

/** What each code says, for the OpenAPI document. */
export const statsFaultMeanings: Readonly<Record<StatsFaultCode, string>> = {
  'body-invalid': 'The body is not JSON in UTF-8.',
  'question-invalid': 'The question is not as described; the message names the member.',
  'goal-unknown': 'The website has no record of the event that is the goal. It may still come.',
  'segment-unknown': "The segment doesn't exist, or you don't have access to it.",
  unauthorized: 'Nothing in the request gives access.',
  'not-found': "It doesn't exist, or you don't have access to it.",
  'method-not-allowed': 'The path has no such method.',
  'body-too-large': 'The body has more bytes than a request may have.',
  'unsupported-type': 'The Content-Type is not application/json.',
  'question-too-large': 'The question needs more time or memory than one question may use.',
  busy: 'There are too many requests at once.',
  'being-calculated': 'Days of the period are being calculated for the first time.',
  'engine-away': 'The store is restarting, stopping or being set up.',
  'website-not-ready': 'The website was added a moment ago.',
  'disk-fault': "The server's disk or its files are at fault.",
  internal: 'A fault of the server, which its log explains.',
};
