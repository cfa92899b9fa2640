import type { Basket } from '../basket.ts';
import { type Catalogue, type Region, regions } from '../catalogue.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { printCard } from './print-card.ts';

/**
 * Returns the page with all maps, or with those of a region. In the browser, shop.js switches between them
 * without loading a page.
 */
export function mapsPage({ prints }: Catalogue, basket: Basket, region?: Region): string {
  const choice = (path: string, name: string, of: Region | '') => {
    const isCurrent = of === (region ?? '');
    return html`<a href="${path}" data-choose="${of}"${isCurrent && html` aria-current="page"`}>${name}</a>`;
  };
  const heading = region === undefined ? 'All maps' : regions[region];
  const main = html`<h1 id="heading" aria-live="polite">${heading}</h1>
<nav class="choices" aria-label="Regions">
${choice('/maps', 'All maps', '')}
${Object.entries(regions).map(([key, name]) => choice(`/maps/${key}`, name, key as Region))}
</nav>
<ul class="grid" aria-labelledby="heading">${prints.map((print) =>
    printCard(print, region !== undefined && print.region !== region),
  )}</ul>`;
  return layout({ title: `${heading} · Isoline`, basket, section: 'maps', main });
}
