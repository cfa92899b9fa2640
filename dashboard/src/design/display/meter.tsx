import './meter.css';

type Props = {
  label: string;
  value: number;
  max: number;
  /** The value in words, for screen readers. */
  valueText: string;
};

/** How much of something is used. The color changes near the end. */
export function Meter({ label, value, max, valueText }: Props) {
  const share = max > 0 ? Math.min(1, value / max) : 1;
  const level = share < 0.9 ? 'calm' : share < 1 ? 'near' : 'full';
  return (
    // biome-ignore lint/a11y/useSemanticElements: every browser draws a meter element differently
    <div
      class="meter"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={valueText}
      data-level={level}
    >
      <i style={{ width: `${share * 100}%` }} />
    </div>
  );
}
