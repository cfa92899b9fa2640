import { useEffect, useState } from 'preact/hooks';
import worldUrl from './world.json?url';

/** The outlines of the countries by their codes, and the positions of those that are too small to see. */
export type World = {
  viewBox: string;
  countries: Readonly<Record<string, string>>;
  dots: Readonly<Record<string, readonly [x: number, y: number]>>;
};

/** Loads the outlines from a separate file when the map is shown. The browser caches the file. */
export function useWorld(isWanted: boolean): World | undefined {
  const [world, setWorld] = useState<World>();
  const isNeeded = isWanted && world === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    const aborter = new AbortController();
    fetch(worldUrl, { signal: aborter.signal })
      .then((response) => (response.ok ? response.json() : undefined))
      // Without the map there is still the list of countries.
      .then(setWorld, () => {});
    return () => aborter.abort();
  }, [isNeeded]);
  return world;
}
