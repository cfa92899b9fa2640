/**
 * The tests in `engine/` that ask questions. They have their own process, as have the tests of faults, so that
 * three processes can run at the same time.
 */
export const filesOfQuestions = [
  'days.test.ts',
  'fill-website.test.ts',
  'large-questions.test.ts',
  'live.test.ts',
  'questions.test.ts',
  'random-reports.test.ts',
  'reports.test.ts',
  'stats.test.ts',
  'turns.test.ts',
];

/** The tests in `engine/` that damage the store, or end and block the engine. */
export const filesOfFaults = [
  'http-front.test.ts',
  'mend.test.ts',
  'salvage.test.ts',
  'supervise-engine.test.ts',
];
