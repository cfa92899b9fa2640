import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Answer } from '#api/fault.ts';
import type { Demo } from '#api/shapes.ts';
import { usePolling } from '#api/use-polling.ts';

export type DemoControl = {
  /** Undefined until the server has answered. */
  demo: Demo | undefined;
  load: () => Promise<Answer<Demo>>;
  remove: () => Promise<Answer<Demo>>;
};

/** A year, so that every period of the dashboard has something to show. */
export const demoDays = 365;

const isMoving = (demo: Demo) => demo.state === 'loading' || demo.state === 'removing';

/** The demo data of a website, followed while it is being loaded or removed. */
export function useDemo(websiteId: number): DemoControl {
  const api = useApi();
  const [known, setKnown] = useState<{ websiteId: number; demo: Demo }>();
  const demo = known?.websiteId === websiteId ? known.demo : undefined;
  const keep = (answer: Answer<Demo>) => {
    if (answer.isOk) setKnown({ websiteId, demo: answer.value });
    return answer;
  };
  usePolling(async (signal) => keep(await api.demo(websiteId, signal)).isOk, {
    everyMs: 700,
    slowestMs: 5_000,
    subject: demo === undefined || isMoving(demo) ? `${websiteId} ${demo?.state}` : undefined,
  });
  return {
    demo,
    load: async () => keep(await api.loadDemo(websiteId, demoDays)),
    remove: async () => keep(await api.removeDemo(websiteId)),
  };
}
