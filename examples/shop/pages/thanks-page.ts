import { type Basket, type Order, showPrice } from '../basket.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

/** Returns the page after an order. shop.js reads the order from it, and reports it to Trackside once. */
export function thanksPage(order: Order | undefined, basket: Basket): string {
  const main =
    order === undefined
      ? html`<h1>There is no order here</h1>
<p class="lead">Perhaps it was a while ago, or in another browser.</p>
<p><a class="button" href="/maps">See all maps</a></p>`
      : html`<div data-order="${order.number}" data-prints="${order.count}" data-total="${(order.totalCents / 100).toFixed(2)}">
<h1>Thank you</h1>
<p class="lead">Your order ${order.number} is in: ${order.count} ${order.count === 1 ? 'print' : 'prints'} for ${showPrice(order.totalCents)}. We press ${order.count === 1 ? 'it' : 'them'} within two days.</p>
<p><a class="button" href="/maps">Look at more maps</a></p>
</div>`;
  return layout({ title: 'Thank you · Isoline', basket, main });
}
