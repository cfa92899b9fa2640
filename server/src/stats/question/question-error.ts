/** A fault in a question. The message says what is wrong and where. */
export class QuestionError extends Error {
  override name = 'QuestionError';
}
