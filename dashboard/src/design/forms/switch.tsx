import './switch.css';

type Props = { label: string; isOn: boolean; isBusy: boolean; onChange: (isOn: boolean) => void };

/** Turns something on or off, with immediate effect. */
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
