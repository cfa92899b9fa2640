import type { Question } from '../create-store-client.ts';
import type { Batch } from '../insert-batch.ts';
import type { AnsweredBytes } from '../query-bytes.ts';
import type { StatementRunner } from '../remove-rows.ts';

/** What moving needs of a store. It isn't limited to one website. */
export type MoveStore = StatementRunner & {
  queryBytes(question: Question): Promise<AnsweredBytes>;
  insertBatch(batch: Batch): Promise<void>;
};
