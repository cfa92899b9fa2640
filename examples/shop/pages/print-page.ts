import { type Basket, showPrice } from '../basket.ts';
import { type MapPrint, regions, sizes } from '../catalogue.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

export function printPage(print: MapPrint, basket: Basket): string {
  const { name, region, slug, heightMetres, position, text, sheet } = print;
  const choices = Object.entries(sizes).map(
    ([key, size]) => html`<label class="size">
<input type="radio" name="size" value="${key}"${key === 'a2' && html` checked`}>
<span><b>${size.name}</b> <span class="quiet">${size.centimetres}</span></span><span>${showPrice(size.priceCents)}</span>
</label>`,
  );
  const main = html`<nav class="crumbs" aria-label="You are here"><a href="/maps">Maps</a> <span aria-hidden="true">/</span> <a href="/maps/${region}">${regions[region]}</a></nav>
<article class="print">
${sheet}
<div class="print-about">
<h1>${name}</h1>
<p class="lead">${text}</p>
<form method="post" action="/basket">
<input type="hidden" name="slug" value="${slug}">
<fieldset><legend>Size</legend>${choices}</fieldset>
<button class="button" name="action" value="add" data-trackside-event="Add to basket" data-trackside-map="${name}" data-trackside-region="${regions[region]}">Add to basket</button>
</form>
<dl class="facts">
<div><dt>Highest point</dt><dd>${heightMetres.toLocaleString('en-GB')} m</dd></div>
<div><dt>Position</dt><dd>${position}</dd></div>
<div><dt>Paper</dt><dd>Cotton, 310 g</dd></div>
<div><dt>Made in</dt><dd>Two days</dd></div>
</dl>
</div>
</article>`;
  return layout({ title: `${name} · Isoline`, basket, section: 'maps', main });
}
