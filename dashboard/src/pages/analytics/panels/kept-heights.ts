/** How tall the panels of a website were when it was last viewed, at this width of the page. */
export type KeptHeights = {
  read: (panel: string) => number | undefined;
  keep: (panel: string, height: number) => void;
};

type Kept = { width: number; heights: Record<string, number> };

/** Panels are as tall as their content, which rarely changes until the next visit. */
export function createKeptHeights(
  websiteId: number,
  width: number,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): KeptHeights {
  const key = `panels-${websiteId}`;
  const readAll = (): Kept['heights'] => {
    try {
      const kept = JSON.parse(storage.getItem(key) ?? '{}') as Partial<Kept>;
      return (kept.width === width && kept.heights) || {};
    } catch {
      return {};
    }
  };
  return {
    read: (panel) => readAll()[panel],
    keep(panel, height) {
      const heights = { ...readAll(), [panel]: height };
      try {
        storage.setItem(key, JSON.stringify({ width, heights } satisfies Kept));
      } catch {
        // Storage is disabled or full, so the next visit reserves room for all rows again.
      }
    },
  };
}
