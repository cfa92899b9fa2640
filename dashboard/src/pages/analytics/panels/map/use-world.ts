import { useEffect, useState } from 'preact/hooks';
import worldUrl from './world.json?url';

/** The outlines of the countries by their codes, and places for those that are too small to be seen. */
export type World = {
  viewBox: string;
  countries: Readonly<Record<string, string>>;
  dots: Readonly<Record<string, readonly [x: number, y: number]>>;
};

/** A file of its own, not JavaScript: fetched when the map is looked at, and kept by the browser. */
export function useWorld(isWanted: boolean): World | undefined {
  const [world, setWorld] = useState<World>();
  const isNeeded = isWanted && world === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    const aborter = new AbortController();
    fetch(worldUrl, { signal: aborter.signal })
      .then((response) => (response.ok ? response.json() : undefined))
      // Without it there is still the list of countries.
      .then(setWorld, () => {});
    return () => aborter.abort();
  }, [isNeeded]);
  return world;
}
