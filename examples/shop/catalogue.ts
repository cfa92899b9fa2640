import { drawSheet } from './art/draw-sheet.ts';
import type { Html } from './pages/html.ts';

export const regions = {
  peaks: 'Peaks',
  fjords: 'Fjords',
  islands: 'Islands',
} as const;
export type Region = keyof typeof regions;

export const sizes = {
  a3: { name: 'A3', centimetres: '30 × 42 cm', priceCents: 2900 },
  a2: { name: 'A2', centimetres: '42 × 59 cm', priceCents: 4400 },
  a1: { name: 'A1', centimetres: '59 × 84 cm', priceCents: 6800 },
} as const;
export type Size = keyof typeof sizes;

export const isRegion = (text: string): text is Region => Object.hasOwn(regions, text);
export const isSize = (text: string): text is Size => Object.hasOwn(sizes, text);

export type MapPrint = {
  slug: string;
  name: string;
  region: Region;
  /** The height of the highest point, as printed on the sheet. */
  heightMetres: number;
  position: string;
  text: string;
  sheet: Html;
};

export type Catalogue = { prints: readonly MapPrint[]; find(slug: string): MapPrint | undefined };

/** Draws every sheet once, for all pages. */
export function openCatalogue(): Catalogue {
  const prints = described.map((print, index) => ({ ...print, sheet: drawSheet(print, index + 1) }));
  const bySlug = new Map(prints.map((print) => [print.slug, print]));
  return { prints, find: (slug) => bySlug.get(slug) };
}

/** Made-up places that nobody has been to. */
const described: Omit<MapPrint, 'sheet'>[] = [
  {
    slug: 'steinkar',
    name: 'Steinkar',
    region: 'peaks',
    heightMetres: 3214,
    position: '46.8° N 10.3° E',
    text:
      'A horseshoe of four summits around a tarn that keeps its ice until July. ' +
      'The ridge path is the thin line in the north.',
  },
  {
    slug: 'stornvik',
    name: 'Stornvik',
    region: 'fjords',
    heightMetres: 1088,
    position: '67.9° N 14.1° E',
    text: 'Walls of a thousand meters on both sides of water so still that boats seem to hang in it.',
  },
  {
    slug: 'skerra',
    name: 'Skerra',
    region: 'islands',
    heightMetres: 341,
    position: '58.1° N 7.6° W',
    text: 'Two hills, one road, eleven houses. The mail comes on Thursdays if the sea allows it.',
  },
  {
    slug: 'monte-calvena',
    name: 'Monte Calvena',
    region: 'peaks',
    heightMetres: 2876,
    position: '45.9° N 8.1° E',
    text:
      'Chestnut woods below, larches above them, and then only rock. ' +
      'Best seen from the bakery in the valley.',
  },
  {
    slug: 'nattvann',
    name: 'Nattvann',
    region: 'fjords',
    heightMetres: 934,
    position: '69.2° N 17.0° E',
    text:
      'From November to January the sun does not reach this arm of the sea. ' +
      'We printed it a shade darker.',
  },
  {
    slug: 'ponta-lume',
    name: 'Ponta Lume',
    region: 'islands',
    heightMetres: 1043,
    position: '39.4° N 31.2° W',
    text:
      'A volcano that has been asleep for six hundred years, ' +
      'with hydrangeas up to the rim of the crater.',
  },
  {
    slug: 'col-de-brume',
    name: 'Col de Brume',
    region: 'peaks',
    heightMetres: 2541,
    position: '45.2° N 6.7° E',
    text:
      'The pass is open from June to September, and in the clouds for most of it. ' +
      'Cyclists know every bend.',
  },
  {
    slug: 'vardsund',
    name: 'Vardsund',
    region: 'fjords',
    heightMetres: 1263,
    position: '61.0° N 6.5° E',
    text: 'Nine farms on ledges above the water. Children were tied to a rope when they played outside.',
  },
  {
    slug: 'isla-perdiz',
    name: 'Isla Perdiz',
    region: 'islands',
    heightMetres: 522,
    position: '28.9° N 14.0° W',
    text: 'Ochre, wind and goats. The contour lines are the only thing on it that anyone has ever combed.',
  },
];
