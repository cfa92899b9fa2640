import { flagOf } from '#format/names.ts';
import './source-mark.css';

/** The flag of a country, or its two letters on systems without flags, such as Windows. */
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

/** Determined when the first flag is shown. It does not change while the browser runs. */
let isDrawn: boolean | undefined;

/** A flag is as wide as one of its two letters. Without flags, the letters are drawn side by side. */
function canDrawFlags(): boolean {
  if (isDrawn !== undefined) return isDrawn;
  const pen = document.createElement('canvas').getContext('2d');
  const [letter, flag] = ['🇩', '🇩🇪'].map((text) => pen?.measureText(text).width ?? 1);
  isDrawn = flag! < 1.5 * letter!;
  return isDrawn;
}
