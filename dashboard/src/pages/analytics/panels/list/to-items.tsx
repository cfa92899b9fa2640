import type { AnswerRow } from '@trackside/contract/stats/answers.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Key } from '@trackside/contract/stats/questions.ts';
import type { Names } from '#format/names.ts';
import type { BarItem } from '../bar-list.tsx';
import { addressOf } from './address-of.ts';
import { Flag } from './flag.tsx';
import { SourceMark } from './source-mark.tsx';

type About = { key: Key; metric: MetricName; names: Names; domain: string };

/** Rows of an answer as they are shown in a list. */
export function toItems(rows: readonly AnswerRow[], { key, metric, names, domain }: About): BarItem[] {
  const { dimension } = key;
  return rows.map(({ dimensions, metrics }) => {
    const value = dimensions[dimension] ?? '';
    const before = markOf(dimension, value);
    const href = addressOf(dimension, value, domain);
    return {
      key: value,
      label: labelOf(dimension, value, names),
      value: metrics[metric] ?? 0,
      ...(before !== undefined && { before }),
      ...(href !== undefined && { href }),
    };
  });
}

export function labelOf(dimension: string, value: string, names: Names): string {
  // Nearly all of them begin like this, and it is never what tells two apart.
  if (dimension === 'referrer') return value.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
  return names.value(dimension, value);
}

export function markOf(dimension: string, value: string) {
  if (dimension === 'source') return <SourceMark source={value} />;
  return dimension === 'country' && value !== '' ? <Flag code={value} /> : undefined;
}
