import { type Basket, showPrice } from '../basket.ts';
import { basketPage } from './basket-page.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

export function checkoutPage(basket: Basket): string {
  if (basket.count === 0) return basketPage(basket);
  const main = html`<h1>Check out</h1>
<p class="lead">${basket.count} ${basket.count === 1 ? 'print' : 'prints'}, ${showPrice(basket.totalCents)}, delivery included.</p>
<form class="fields" method="post" action="/checkout">
<label>Name<input name="name" autocomplete="name" required></label>
<label>Email<input name="email" type="email" autocomplete="email" required></label>
<label>Address<textarea name="address" autocomplete="street-address" rows="3" required></textarea></label>
<p class="quiet">This is an example: nothing you type is stored, and you won't be charged.</p>
<p class="row-end"><a href="/basket">Back to the basket</a><button class="button">Pay ${showPrice(basket.totalCents)}</button></p>
</form>`;
  return layout({ title: 'Check out · Isoline', basket, section: 'basket', main });
}
