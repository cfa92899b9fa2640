type Box = { x: number; y: number; width: number; height: number };

/** How much of the world is seen around a small country, and how much space is around a large one. */
const leastShare = 1 / 7;
const margin = 1.25;

/** Returns the part of the map that shows a country in its surroundings, in the proportions of the world. */
export function zoomTo(country: Box, world: string): string {
  const [left = 0, top = 0, worldWidth = 1, worldHeight = 1] = world.split(' ').map(Number);
  const wanted = Math.max(country.width / worldWidth, country.height / worldHeight) * margin;
  const share = Math.min(1, Math.max(leastShare, wanted));
  const [width, height] = [worldWidth * share, worldHeight * share];
  const within = (middle: number, size: number, start: number, all: number) =>
    Math.min(Math.max(middle - size / 2, start), start + all - size);
  const x = within(country.x + country.width / 2, width, left, worldWidth);
  const y = within(country.y + country.height / 2, height, top, worldHeight);
  return [x, y, width, height].map((value) => Math.round(value * 10) / 10).join(' ');
}
