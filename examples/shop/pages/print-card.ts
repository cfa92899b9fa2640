import { showPrice } from '../basket.ts';
import { type MapPrint, regions, sizes } from '../catalogue.ts';
import { type Html, html } from './html.ts';

export const printPath = ({ region, slug }: MapPrint): string => `/maps/${region}/${slug}`;

/** Returns a print in a list. The whole card is a link, which is named after the print. */
export function printCard(print: MapPrint, isHidden = false): Html {
  return html`<li class="card" data-region="${print.region}"${isHidden && html` hidden`}>
<a href="${printPath(print)}">
${print.sheet}
<span class="card-name">${print.name}</span>
<span class="card-about">${regions[print.region]} · from ${showPrice(sizes.a3.priceCents)}</span>
</a>
</li>`;
}
