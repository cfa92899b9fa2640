import { Html, html } from '../pages/html.ts';
import { drawContours } from './draw-contours.ts';
import { makeTerrain } from './make-terrain.ts';

type Place = { name: string; region: 'peaks' | 'fjords' | 'islands'; heightMetres: number; position: string };

const field = { width: 540, height: 640, step: 18 };
const kinds = { peaks: 'peaks', fjords: 'fjord', islands: 'island' } as const;
const levels = Array.from({ length: 15 }, (_, index) => 0.02 + index * 0.065);

/** Draws a printed sheet: the land in contour lines, and the name of the place below it. */
export function drawSheet({ name, region, heightMetres, position }: Place, seed: number): Html {
  const terrain = makeTerrain(seed, kinds[region]);
  const lines = drawContours(terrain, levels, field).map(
    (data, index) => `<path${index % 5 === 0 ? ' class="bold"' : ''} d="${data}"/>`,
  );
  // The land has its own <svg>, which clips whatever reaches beyond it.
  return html`<svg class="sheet sheet-${region}" viewBox="0 0 600 800" role="img" aria-label="Map of ${name}">
<rect class="paper" width="600" height="800"/>
<svg x="30" y="30" width="540" height="640"><rect class="ground" width="540" height="640"/>
<g class="lines">${new Html(lines.join(''))}</g></svg>
<text class="name" x="300" y="730">${name}</text>
<text class="about" x="300" y="763">${heightMetres} m · ${position}</text>
</svg>`;
}
