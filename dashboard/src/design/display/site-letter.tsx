import './site-letter.css';

/** Stands for a website where there is no room for its name. A website has the same color everywhere. */
export function SiteLetter({ name, id }: { name: string; id: number }) {
  const [letter = '?'] = name.trim().replace(/^www\./i, '');
  return (
    <span class="site-letter" data-hue={id % 6} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}
