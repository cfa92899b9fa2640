import type { AnswerRow, Answers } from '@trackside/contract/stats/answers.ts';

type Answer = Answers['query'];
type Numbers = AnswerRow['metrics'] | null | undefined;

/**
 * Adds the share of visitors that the filters on events leave. `all` is the answer to the same question
 * without these filters, so its rows are about the same times.
 */
export function addConversionRate(answer: Answer, all: Answer): Answer {
  return {
    ...answer,
    rows: answer.rows.map((row, index) => ({
      ...row,
      metrics: { ...row.metrics, conversionRate: rateOf(row.metrics, all.rows[index]?.metrics) },
      ...(row.comparison && {
        comparison: {
          ...row.comparison,
          conversionRate: rateOf(row.comparison, all.rows[index]?.comparison),
        },
      }),
    })),
  };
}

function rateOf(some: Numbers, all: Numbers): number | null {
  const [part, whole] = [some?.visitors ?? 0, all?.visitors ?? 0];
  return whole === 0 ? null : part / whole;
}
