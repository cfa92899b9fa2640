import { useState } from 'preact/hooks';
import { useAnalytics } from '../analytics-context.ts';
import type { Span, View } from '../view/view.ts';

type Place = Pick<View, 'period' | 'interval'>;

export type Zoom = {
  zoomIn: (to: Span) => void;
  /** Undefined when the page wasn't zoomed into the shown period. */
  zoomOut: (() => void) | undefined;
};

const mostRemembered = 20;

/** Zooms into a part of the period, and back to the period before. */
export function useZoom(): Zoom {
  const { shown, change } = useAnalytics();
  const [steps, setSteps] = useState<readonly { to: Span; from: Place }[]>([]);
  const step = steps.findLast(({ to }) => isSame(to, shown.period));
  return {
    zoomIn(to) {
      const from = { period: shown.period, interval: shown.interval };
      setSteps([...steps.slice(1 - mostRemembered), { to, from }]);
      // The interval was chosen for a longer period.
      change({ period: to, interval: undefined });
    },
    zoomOut: step && (() => change(step.from)),
  };
}

const isSame = (span: Span, period: View['period']) =>
  typeof period === 'object' && period.from === span.from && period.to === span.to;
