import { useState } from 'preact/hooks';
import { flagUrl } from './pictures.ts';
import './source-mark.css';

/** The flag of a country, or its two letters if there is none. */
export function Flag({ code }: { code: string }) {
  const [missing, setMissing] = useState('');
  if (!/^[A-Z]{2}$/.test(code)) return null;
  return missing === code ? (
    <span class="flag-letters" aria-hidden="true">
      {code}
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
