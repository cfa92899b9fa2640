import { Skeleton } from '#design/display/skeleton.tsx';
import { useFormat } from '#format/format-context.tsx';
import type { CardMetric } from '../../view/view.ts';
import { metricTraits } from '../metric-traits.ts';
import { useOverviewWords } from '../overview-words.ts';
import { spellChange } from '../spell-change.ts';
import { spellExact, spellValue } from '../spell-value.ts';

/** `before` is undefined without a comparison. */
export type CardValue = { now: number | null; before: number | null | undefined };

type Props = {
  metric: CardMetric;
  /** Undefined while it is loading. */
  value: CardValue | undefined;
  /** The day of the first record, if the comparison begins before it, so that no change can be shown. */
  dataFrom: string | undefined;
  /** What else there is to know about the number. */
  note: { note: string; about: string } | undefined;
  /** Whether a change will be shown. Its space is reserved while it is loading. */
  isCompared: boolean;
  isPressed: boolean;
  onPress: () => void;
};

/** A key number of the period. Pressing it shows its chart. */
export function StatCard({ metric, value, dataFrom, note, isCompared, isPressed, onPress }: Props) {
  const format = useFormat();
  const { label } = useOverviewWords().metrics[metric];
  const { kind } = metricTraits[metric];
  return (
    <button type="button" class="stat" aria-pressed={isPressed} onClick={onPress}>
      <span class="stat-label" title={note?.about}>
        {label}
        {note !== undefined && <span class="faint"> · {note.note}</span>}
      </span>
      {value === undefined ? (
        <span class="stat-value">
          <Skeleton width="96px" height={24} />
        </span>
      ) : (
        <span class="stat-value" title={spellExact(kind, value.now, format)}>
          {withSmallUnits(spellValue(kind, value.now, format))}
        </span>
      )}
      {isCompared && (
        <span class="stat-change">
          {value === undefined ? (
            <Skeleton width="46px" height={12} />
          ) : (
            <Change metric={metric} value={value} dataFrom={dataFrom} />
          )}
        </span>
      )}
    </button>
  );
}

/** Units that are words, such as Min. and Mio., are smaller than their numbers. Those of one letter are not. */
const withSmallUnits = (text: string) =>
  text.split(/(\p{L}{2,}\.?)/u).map((part, index) => (index % 2 === 0 ? part : <small>{part}</small>));

type ChangeProps = Pick<Props, 'metric' | 'dataFrom'> & { value: CardValue };

function Change({ metric, value: { now, before }, dataFrom }: ChangeProps) {
  const format = useFormat();
  const words = useOverviewWords().change;
  if (before === undefined) return null;
  if (dataFrom !== undefined) {
    const reason = words.incomplete(format.span({ from: dataFrom, to: dataFrom }));
    return (
      <span title={reason}>
        <span aria-hidden="true">–</span>
        <span class="unseen">{reason}</span>
      </span>
    );
  }
  const change = spellChange({ metric, now, before, format, words });
  const was = words.before(spellValue(metricTraits[metric].kind, before, format));
  return (
    <span data-tone={change?.tone} title={was}>
      {change?.text}
      <span class="unseen">{was}</span>
    </span>
  );
}
