import { useState } from 'preact/hooks';
import { flagUrl } from './pictures.ts';
import './source-mark.css';

/** The flag of a country, its two letters if there is none, or a question mark if it is unknown. */
export function Flag({ code }: { code: string }) {
  const [missing, setMissing] = useState('');
  const isKnown = /^[A-Z]{2}$/.test(code);
  return missing === code || !isKnown ? (
    <span class="flag-letters" aria-hidden="true">
      {isKnown ? code : '?'}
    </span>
  ) : (
    <img
      class="flag"
      src={flagUrl(code)}
      alt=""
      width={20}
      height={14}
      loading="lazy"
      decoding="async"
      onError={() => setMissing(code)}
    />
  );
}
