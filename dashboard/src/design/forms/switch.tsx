import './switch.css';

type Props = { label: string; isOn: boolean; isBusy: boolean; onChange: (isOn: boolean) => void };

/** On or off, at once. */
export function Switch({ label, isOn, isBusy, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-busy={isBusy ? 'true' : undefined}
      onClick={() => !isBusy && onChange(!isOn)}
    />
  );
}
