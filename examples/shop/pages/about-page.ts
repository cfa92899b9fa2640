import type { Basket } from '../basket.ts';
import type { Catalogue } from '../catalogue.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

export function aboutPage(catalogue: Catalogue, basket: Basket): string {
  const main = html`<article class="prose">
<h1>About Isoline</h1>
<p class="lead">An isoline joins places that have something in common. On our maps, that is their height; among the people who buy them, it seems to be patience.</p>
<h2>How a map is made</h2>
<p>We begin with the survey of a place and leave out everything but its shape: no roads, no names, no borders. Fifteen heights are drawn, every fifth a little stronger, so that the eye can climb.</p>
<p>Then the sheet goes to the press, one by one, in the ink that suits the place: moss for the peaks, slate for the fjords, and ochre for the islands.</p>
<h2>What we know about you</h2>
<p>That someone looked at a map, from which country and on what kind of screen. No cookies, no names: our own server does the counting, with Trackside.</p>
<p><a href="/maps/islands">See the islands</a></p>
</article>
<aside class="about-sheet" aria-hidden="true">${catalogue.find('ponta-lume')?.sheet}</aside>`;
  return layout({
    title: 'About · Isoline',
    basket,
    section: 'about',
    main: html`<div class="about-page">${main}</div>`,
  });
}
