import type { Attempt } from '../faults/result.ts';
import type { ServerAnswer } from './exchange.ts';
import { readAnswer } from './read-answer.ts';

/** What became of each record, or that the server takes no batches, so that each has to be sent by itself. */
export type BatchOutcome = readonly Attempt[] | 'one-by-one';

/**
 * Reads what each record of a batch was answered. An answer that refuses the batch as a whole, and not because
 * of the API key or for a moment, says nothing about its records: an older server doesn't know batches, and a
 * firewall may dislike one of the records, or the size.
 */
export function readBatchAnswer(
  answer: ServerAnswer,
  { now, apiKey, records }: { now: number; apiKey: string; records: number },
): BatchOutcome {
  const results = readResults(answer, records);
  if (results !== undefined)
    return results.map((result) => {
      const { Code: status, Outcome: outcome } = result;
      // What a header says of a record that was sent alone.
      const header = (name: string) => (name === 'trackside-outcome' ? outcome : answer.header(name));
      return readAnswer({ status, header, text: JSON.stringify(result) }, { now, apiKey });
    });
  const whole = readAnswer(answer, { now, apiKey });
  const { kind } = whole.result;
  if (kind === 'accepted') return forEach(withoutResults(answer));
  if (kind === 'unauthorized' || whole.isTransient || whole.isUncertain) return forEach(whole);
  return 'one-by-one';

  function forEach(attempt: Attempt): Attempt[] {
    return Array.from({ length: records }, () => attempt);
  }
}

function withoutResults({ status }: ServerAnswer): Attempt {
  const message =
    'Expected a result for each record of a batch, got a response without them: check that url is the ' +
    'address of Trackside.';
  return {
    result: { kind: 'unavailable', code: status, message },
    isTransient: true,
    isUncertain: true,
  };
}

type BatchResult = { Code: number; Message: string; Outcome?: string };

function readResults({ status, text }: ServerAnswer, records: number): BatchResult[] | undefined {
  if (status !== 200 && status !== 207) return undefined;
  try {
    const { Results: results } = JSON.parse(text);
    const isComplete = Array.isArray(results) && results.length === records && results.every(isResult);
    return isComplete ? results : undefined;
  } catch {
    return undefined;
  }
}

function isResult(result: unknown): result is BatchResult {
  const { Code: code, Message: message } = (result ?? {}) as Partial<BatchResult>;
  return Number.isInteger(code) && typeof message === 'string';
}
