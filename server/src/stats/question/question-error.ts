/** What is wrong with a question, and where. */
export class QuestionError extends Error {
  override name = 'QuestionError';
}
