import { useEffect, useState } from 'preact/hooks';

/** How a canvas is to be painted. Another object when it has to be painted anew. */
export type Paint = { isPrint: boolean };

/** A canvas does not follow the theme by itself, nor does it know of paper, nor of a font that comes late. */
export function usePaint(): Paint {
  const [paint, setPaint] = useState<Paint>({ isPrint: false });
  useEffect(() => {
    const aborter = new AbortController();
    const { signal } = aborter;
    const again = () => setPaint(({ isPrint }) => ({ isPrint }));
    const print = (isPrint: boolean) => () => setPaint({ isPrint });
    const paper = matchMedia('print');
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again, { signal });
    paper.addEventListener('change', () => print(paper.matches)(), { signal });
    window.addEventListener('beforeprint', print(true), { signal });
    window.addEventListener('afterprint', print(false), { signal });
    document.fonts.addEventListener('loadingdone', again, { signal });
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      aborter.abort();
      theme.disconnect();
    };
  }, []);
  return paint;
}
