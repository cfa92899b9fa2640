import { useRef } from 'preact/hooks';

/** Returns the keys that are new since the last render. The keys of the first render are not new. */
export function useArrivals(keys: readonly string[] | undefined): ReadonlySet<string> {
  const last = useRef<{ keys: readonly string[] | undefined; arrivals: ReadonlySet<string> }>({
    keys: undefined,
    arrivals: new Set(),
  });
  const { keys: known, arrivals } = last.current;
  if (keys === known) return arrivals;
  const isFirst = known === undefined;
  const seen = new Set(known);
  last.current = { keys, arrivals: new Set(isFirst ? [] : keys?.filter((key) => !seen.has(key))) };
  return last.current.arrivals;
}
