import type { Basket } from '../basket.ts';
import type { Catalogue } from '../catalogue.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { printCard, printPath } from './print-card.ts';

export function homePage({ prints }: Catalogue, basket: Basket): string {
  const [first, ...others] = prints;
  const main = html`<section class="hero">
<div>
<h1>High places, drawn line by line</h1>
<p class="lead">Printed maps of peaks, fjords and islands. Each line joins points of equal height, and each sheet is printed on cotton paper when you order it.</p>
<p><a class="button" href="/maps">See all maps</a></p>
</div>
<a class="hero-sheet" href="${printPath(first!)}">${first!.sheet}</a>
</section>
<section aria-labelledby="new">
<div class="row"><h2 id="new">New this season</h2><a href="/maps">All maps</a></div>
<ul class="grid grid-four">${others.slice(0, 4).map((print) => printCard(print))}</ul>
</section>
<section class="promises" aria-label="What you can rely on">
<div><h2>Cotton paper</h2><p>310 g, with a deckled edge. It will outlive the frame.</p></div>
<div><h2>Printed for you</h2><p>Nothing sits in a warehouse. Your print is made within two days.</p></div>
<div><h2>Sent flat</h2><p>Between boards, never rolled. Delivery is free everywhere.</p></div>
</section>`;
  return layout({ title: 'Isoline: printed maps of high places', basket, main });
}
