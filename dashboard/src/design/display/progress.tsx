import './meter.css';

type Props = {
  label: string;
  done: number;
  all: number;
  /** The value in words, for screen readers. */
  valueText: string;
};

/** The progress of some work. */
export function Progress({ label, done, all, valueText }: Props) {
  return (
    <div
      class="meter"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={all}
      aria-valuenow={Math.min(done, all)}
      aria-valuetext={valueText}
    >
      <i style={{ width: `${all > 0 ? Math.min(100, (done / all) * 100) : 0}%` }} />
    </div>
  );
}
