/**
 * Draws the world map of the Locations panel from world-atlas (Natural Earth, in the public domain) and
 * writes it to src/pages/analytics/panels/map/world.json, which is committed. Run it when world-atlas has
 * changed:
 *
 *   node dashboard/build/make-map.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type GeoPermissibleObjects, geoNaturalEarth1, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

type Point = [x: number, y: number];
type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>;

/** The drawing uses whole units. At this width they are finer than a pixel of the panel. */
const width = 1600;
/** Pieces smaller than this, in square units, can't be seen. The largest piece of each country stays. */
const minArea = 10;
/**
 * A country whose largest piece is smaller than this is hard to see and to point at, so it also gets a dot.
 */
const minVisibleArea = 70;

/** These have no number in the atlas, because ISO 3166 has none for them. */
const codesByName: Readonly<Record<string, string>> = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' };

/** These have their own codes, but the atlas draws them as a part of another country or not at all. */
const dotPlaces: Readonly<Record<string, Point>> = {
  BQ: [-68.3, 12.2],
  CC: [96.8, -12.1],
  CX: [105.6, -10.5],
  GF: [-53, 4],
  GI: [-5.35, 36.1],
  GP: [-61.5, 16.2],
  MQ: [-61, 14.6],
  RE: [55.5, -21.1],
  SJ: [16, 78.5],
  TK: [-171.8, -9.2],
  TV: [179.2, -8.5],
  YT: [45.2, -12.8],
};

const atlasFile = fileURLToPath(import.meta.resolve('world-atlas/countries-50m.json'));
const mapFile = fileURLToPath(new URL('../src/pages/analytics/panels/map/world.json', import.meta.url));

const atlas = JSON.parse(readFileSync(atlasFile, 'utf8')) as Atlas;
const shapes = feature(atlas, atlas.objects.countries).features.filter(({ id }) => id !== '010');
// Rotated a little to the east, so that the edge runs through the Bering Strait and cuts no country in two.
const projection = geoNaturalEarth1()
  .rotate([-11, 0])
  .fitWidth(width, { type: 'FeatureCollection', features: shapes });

const pieces = new Map<string, Point[][]>();
for (const shape of shapes) {
  const code = codesByName[shape.properties.name] ?? codeOf(shape.id);
  if (code !== undefined) pieces.set(code, [...(pieces.get(code) ?? []), ...ringsOf(shape)]);
}

const countries: Record<string, string> = {};
const dots: Record<string, Point> = {};
for (const [code, rings] of [...pieces].sort(([a], [b]) => a.localeCompare(b))) {
  const bySize = rings.toSorted((a, b) => areaOf(b) - areaOf(a));
  const kept = bySize.filter((ring, index) => index === 0 || areaOf(ring) >= minArea);
  const path = kept.map(writeRing).join('');
  if (path !== '') countries[code] = path;
  const largest = bySize[0];
  if (largest !== undefined && areaOf(largest) < minVisibleArea) dots[code] = middleOf(largest);
}
for (const [code, place] of Object.entries(dotPlaces))
  dots[code] = projection(place)!.map(Math.round) as Point;

const viewBox = boxOf([...pieces.values()].flat().filter((ring) => areaOf(ring) >= minVisibleArea));
const text = writeMap();
writeFileSync(mapFile, text);
console.log(
  `${Object.keys(countries).length} countries, ${Object.keys(dots).length} dots, ${viewBox}, ` +
    `${text.length} bytes, ${gzipSync(text, { level: 9 }).length} packed`,
);

/** Converts the number of ISO 3166 to the two letters. Browsers and Node read both, and write the letters. */
function codeOf(id: string | number | undefined): string | undefined {
  return id === undefined ? undefined : new Intl.Locale(`und-${String(id).padStart(3, '0')}`).region;
}

/** Returns the outlines on the map, in whole units. */
function ringsOf(shape: GeoPermissibleObjects): Point[][] {
  const rings: Point[][] = [];
  const pen = {
    beginPath() {},
    arc() {},
    closePath() {},
    moveTo: (x: number, y: number) => rings.push([[Math.round(x), Math.round(y)]]),
    lineTo: (x: number, y: number) => rings.at(-1)!.push([Math.round(x), Math.round(y)]),
  };
  geoPath(projection, pen as never)(shape);
  return rings.map(thin);
}

/** Omits points that the drawing doesn't need: repeated ones, and those on a straight line. */
function thin(ring: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of ring) {
    const [before, last] = [kept.at(-2), kept.at(-1)];
    if (last !== undefined && last[0] === point[0] && last[1] === point[1]) continue;
    if (before !== undefined && last !== undefined && crossOf(before, last, point) === 0) kept.pop();
    kept.push(point);
  }
  return kept;
}

function crossOf(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function areaOf(ring: readonly Point[]): number {
  const twice = ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}

function middleOf(ring: readonly Point[]): Point {
  const mean = (axis: 0 | 1) => Math.round(ring.reduce((sum, point) => sum + point[axis], 0) / ring.length);
  return [mean(0), mean(1)];
}

/** The box around everything that is visible. Some of the dots lie on its edge, or just outside. */
function boxOf(rings: readonly (readonly Point[])[]): string {
  const points = rings.flat();
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [xs, ys].map((places) => places.reduce((a, b) => Math.min(a, b))) as Point;
  const [right, bottom] = [xs, ys].map((places) => places.reduce((a, b) => Math.max(a, b))) as Point;
  return `${left} ${top} ${right - left} ${bottom - top}`;
}

/** Steps from point to point are shorter than coordinates, and compress better. */
function writeRing(ring: readonly Point[]): string {
  if (ring.length < 3) return '';
  const [[startX, startY], ...rest] = ring as [Point, ...Point[]];
  let [x, y] = [startX, startY];
  const steps = rest.map((point) => {
    const step = `${point[0] - x}${point[1] - y < 0 ? '' : ' '}${point[1] - y}`;
    [x, y] = point;
    return step;
  });
  const line = steps.reduce((all, step) => all + (step.startsWith('-') ? '' : ' ') + step);
  return `M${startX} ${startY}l${line}z`;
}

/** Formatted as Biome would, with one country per line, so that a diff is readable. */
function writeMap(): string {
  const lines = (members: Record<string, unknown>) =>
    Object.entries(members)
      .map(([code, value]) => `    "${code}": ${JSON.stringify(value).replace(',', ', ')}`)
      .join(',\n');
  return `{
  "viewBox": "${viewBox}",
  "countries": {
${lines(countries)}
  },
  "dots": {
${lines(dots)}
  }
}
`;
}
