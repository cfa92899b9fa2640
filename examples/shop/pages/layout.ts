import type { Basket } from '../basket.ts';
import { type Html, html } from './html.ts';

export type PageParts = { title: string; basket: Basket; section?: 'maps' | 'about' | 'basket'; main: Html };

/**
 * Returns a page with the parts that all pages share. The first script is Trackside's, and it is all that a
 * page needs.
 */
export function layout({ title, basket, section, main }: PageParts): string {
  const link = (path: string, name: typeof section, text: Html) =>
    html`<a href="${path}"${name === section && html` aria-current="page"`}>${text}</a>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/shop.css">
<script defer src="/side"></script>
<script defer src="/shop.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/">${mark} Isoline</a>
<nav class="menu" aria-label="Shop">
${link('/maps', 'maps', html`Maps`)}
${link('/about', 'about', html`About`)}
${link('/basket', 'basket', html`Basket <span class="count"><span aria-hidden="true">${basket.count}</span><span class="unseen">(${basket.count} ${basket.count === 1 ? 'print' : 'prints'})</span></span>`)}
</nav>
</header>
<main id="main">${main}</main>
<footer class="foot">
<p>Isoline is the example shop of <code>@trackside/sdk</code>. Its places are made up, nothing is shipped, and nothing is charged.</p>
</footer>
</body>
</html>`.markup;
}

const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M16 3c7 0 13 5 13 12s-5 14-13 14S3 24 3 16 9 3 16 3z"/><path d="M15 9c5-1 8 3 8 7s-3 8-8 7-7-4-6-8 2-5 6-6z"/><path d="M15 14c2-1 4 0 4 2s-2 3-4 2-2-3 0-4z"/></svg>`;
