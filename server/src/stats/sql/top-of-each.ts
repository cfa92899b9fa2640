import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Parameters } from '../question/dimensions.ts';
import { countNames, metrics, toCounts } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import type { Counted } from './ask-visits.ts';

type Row = {
  dimension: DimensionName;
  total: number;
  top: [order: number[], value: string, ...counts: number[]][];
};

/** The top of each dimension in one statement. `sums` selects its counts for every value. */
export async function topOfEach(
  store: WebsiteStore,
  { order, limit }: Pick<Question, 'order' | 'limit'>,
  sums: { sql: string; parameters: Parameters },
): Promise<Map<DimensionName, Counted>> {
  const keys = order.map(
    ({ by, descending }) => `${descending ? '-' : ''}(${metrics[by as 'visitors'].sql})`,
  );
  const query = `
    select
      dimension, count() as total,
      groupArraySorted(${Number(limit)})(tuple([${keys.map((key) => `toFloat64(${key})`).join(', ')}], value, ${countNames.join(', ')})) as top
    from (${sums.sql})
    group by dimension`;
  const rows = await store.query<Row>({ query, params: sums.parameters.values, isQuick: true });
  return new Map(
    rows.map(({ dimension, total, top }) => [
      dimension,
      {
        totalRows: total,
        rows: top.map(([, value, ...counts]) => ({
          time: undefined,
          values: [value],
          counts: toCounts(counts),
        })),
      },
    ]),
  );
}
