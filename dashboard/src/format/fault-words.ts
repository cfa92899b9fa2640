import type { FaultCode } from '#api/fault.ts';
import { createUseWords } from '#words/words-context.ts';

const reload = 'Something went wrong. Reload the page and try again.';

/** What to say when a request fails. */
export const faultWords = {
  unreachable: 'Can’t reach the server. Check your connection and try again.',
  /** There is no code, or one of a newer server. */
  unknown: 'Something went wrong. Try again.',
  /** The same above a button that tries again. */
  unknownAboveRetry: 'Something went wrong.',
  tooManyAttempts: {
    one: 'Too many attempts. Try again in # second.',
    other: 'Too many attempts. Try again in # seconds.',
  },
  /** The server's own sentence, where its code alone says too little. */
  fromServer: (message: string) => message,
  byCode: {
    'body-invalid': reload,
    'method-not-allowed': reload,
    'unsupported-type': reload,
    'body-too-large': 'That’s too much to send at once. Shorten it and try again.',
    'goal-unknown': 'There are no records of this event yet.',
    'segment-unknown': 'This segment doesn’t exist, or you don’t have access to it.',
    'already-exists': 'This already exists.',
    unauthorized: 'Your session has expired. Sign in again.',
    'wrong-credentials': 'Incorrect email or password.',
    forbidden: 'Only admins can do this.',
    'foreign-origin':
      'The server expects another address. Open Trackside at its usual address and try again.',
    'not-found': 'Not found. It was deleted, or you don’t have access.',
    conflict: 'Someone else changed this in the meantime. Reload the page and try again.',
    'question-too-large': 'This takes too long to calculate. Try a shorter period or fewer filters.',
    busy: 'The server is busy. Try again in a moment.',
    'too-many-live-views': 'Too many live views are open. Close some of them and try again.',
    'being-calculated': 'Statistics are being calculated. They’ll be ready in a moment.',
    'engine-away': 'Statistics are starting up. They’ll be back in a moment.',
    'website-not-ready': 'This website was just added. Its statistics will be ready in a moment.',
    'disk-fault': 'The server has a problem with its disk. Its log has the details.',
    internal: 'Something went wrong on the server. Its log has the details.',
  } satisfies Partial<Record<FaultCode, string>> as Partial<Record<FaultCode, string>>,
};

export type FaultWords = typeof faultWords;

export const useFaultWords = createUseWords('faults', faultWords);
