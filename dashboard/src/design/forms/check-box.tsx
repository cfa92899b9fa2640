import type { ComponentChildren } from 'preact';
import './radio-group.css';

type Props = { isChecked: boolean; onChange: (isChecked: boolean) => void; children: ComponentChildren };

export function CheckBox({ isChecked, onChange, children }: Props) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
