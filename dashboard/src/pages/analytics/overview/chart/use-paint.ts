import { useEffect, useState } from 'preact/hooks';

/** How to paint the canvas. A new object means that it has to be repainted. */
export type Paint = { isPrint: boolean };

/**
 * Tells when to repaint a canvas, which doesn't react to the theme, to printing or to fonts that load late.
 */
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
  // The window was moved to a screen of another resolution, or the page was zoomed.
  useEffect(() => {
    const aborter = new AbortController();
    const again = () => setPaint(({ isPrint }) => ({ isPrint }));
    const resolution = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    resolution.addEventListener('change', again, { signal: aborter.signal });
    return () => aborter.abort();
  }, [paint]);
  return paint;
}
