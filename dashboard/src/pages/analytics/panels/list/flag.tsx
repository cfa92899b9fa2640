import { flagOf } from '#format/names.ts';
import './source-mark.css';

/** The flag of a country; its two letters where the system has no flags, as on Windows. */
export function Flag({ code }: { code: string }) {
  const flag = flagOf(code);
  if (flag === '') return null;
  return canDrawFlags() ? (
    <span class="flag" aria-hidden="true">
      {flag}
    </span>
  ) : (
    <span class="flag-letters" aria-hidden="true">
      {code}
    </span>
  );
}

/** Found out when the first one is shown. It does not change while the browser runs. */
let isDrawn: boolean | undefined;

/** Two letters that make a flag are as wide as one of them; without flags, they stand beside each other. */
function canDrawFlags(): boolean {
  if (isDrawn !== undefined) return isDrawn;
  const pen = document.createElement('canvas').getContext('2d');
  const [letter, flag] = ['🇩', '🇩🇪'].map((text) => pen?.measureText(text).width ?? 1);
  isDrawn = flag! < 1.5 * letter!;
  return isDrawn;
}
