import { type Basket, type Line, showPrice } from '../basket.ts';
import { sizes } from '../catalogue.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { printPath } from './print-card.ts';

export function basketPage(basket: Basket): string {
  const main =
    basket.count === 0
      ? html`<h1>Your basket is empty</h1>
<p class="lead">Somewhere among our nine places is one for your wall.</p>
<p><a class="button" href="/maps">See all maps</a></p>`
      : html`<h1>Your basket</h1>
<ul class="lines-list">${basket.lines.map(basketLine)}</ul>
<dl class="sums">
<div><dt>Delivery</dt><dd>free</dd></div>
<div class="sum"><dt>Total</dt><dd>${showPrice(basket.totalCents)}</dd></div>
</dl>
<p class="row-end"><a href="/maps">Go on looking</a><a class="button" href="/checkout">Check out</a></p>`;
  return layout({ title: 'Your basket · Isoline', basket, section: 'basket', main });
}

function basketLine({ print, size, quantity }: Line) {
  const { name, centimetres, priceCents } = sizes[size];
  return html`<li>
<a class="thumb" href="${printPath(print)}" tabindex="-1" aria-hidden="true">${print.sheet}</a>
<div class="line-about"><a href="${printPath(print)}"><b>${print.name}</b></a><span class="quiet">${name}, ${centimetres}</span>
<form method="post" action="/basket">
<input type="hidden" name="slug" value="${print.slug}"><input type="hidden" name="size" value="${size}">
<button class="plain" name="action" value="remove">Remove<span class="unseen"> ${print.name} in ${name}</span></button>
</form></div>
<span class="quiet">${quantity} ×</span>
<b>${showPrice(priceCents * quantity)}</b>
</li>`;
}
