import type { Basket } from '../basket.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

export function notFoundPage(basket: Basket): string {
  const main = html`<h1>Off the map</h1>
<p class="lead">There is nothing at this address. Here be dragons, or a typo.</p>
<p><a class="button" href="/maps">See all maps</a></p>`;
  return layout({ title: 'Not found · Isoline', basket, main });
}
