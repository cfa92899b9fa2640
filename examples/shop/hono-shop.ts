import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { trackEvents, trackside } from '@trackside/sdk/hono';
import { type Context, Hono } from 'hono';
import { changeBasket, orderOf, readBasket, readOrder } from './basket.ts';
import { isRegion, openCatalogue } from './catalogue.ts';
import { basketCookie, orderCookie } from './cookies.ts';
import { aboutPage } from './pages/about-page.ts';
import { basketPage } from './pages/basket-page.ts';
import { checkoutPage } from './pages/checkout-page.ts';
import { homePage } from './pages/home-page.ts';
import { mapsPage } from './pages/maps-page.ts';
import { notFoundPage } from './pages/not-found-page.ts';
import { printPage } from './pages/print-page.ts';
import { thanksPage } from './pages/thanks-page.ts';
import type { ShopOptions } from './shop-options.ts';

const publicFolder = fileURLToPath(new URL('public', import.meta.url));

/** Creates the shop on Hono: the same pages, and the same one line for Trackside. */
export function createHonoShop(options: ShopOptions): Hono {
  const app = new Hono();
  const catalogue = openCatalogue();
  const basketOf = (c: Context) => readBasket(c.req.header('cookie'), catalogue);
  const trackEvent = trackEvents(options);
  app.use(trackside(options));

  app.get('/', (c) => c.html(homePage(catalogue, basketOf(c))));
  app.get('/about', (c) => c.html(aboutPage(catalogue, basketOf(c))));
  app.get('/maps', (c) => c.html(mapsPage(catalogue, basketOf(c))));
  app.get('/maps/:region', (c) => {
    const region = c.req.param('region');
    return isRegion(region) ? c.html(mapsPage(catalogue, basketOf(c), region)) : c.notFound();
  });
  app.get('/maps/:region/:slug', (c) => {
    const print = catalogue.find(c.req.param('slug'));
    return print?.region === c.req.param('region') ? c.html(printPage(print, basketOf(c))) : c.notFound();
  });

  app.get('/basket', (c) => c.html(basketPage(basketOf(c))));
  app.post('/basket', async (c) => {
    const basket = changeBasket(basketOf(c), await c.req.parseBody(), catalogue);
    c.header('Set-Cookie', basketCookie(basket));
    return c.redirect('/basket', 303);
  });

  app.get('/checkout', (c) => c.html(checkoutPage(basketOf(c))));
  app.post('/checkout', (c) => {
    const order = orderOf(basketOf(c));
    if (order === undefined) return c.redirect('/basket', 303);
    // Money is counted where it is taken, not in a browser that may be gone. The call neither waits nor
    // throws.
    trackEvent(c, 'Order paid', { order: order.number, total: order.totalCents / 100 });
    c.header('Set-Cookie', basketCookie());
    c.header('Set-Cookie', orderCookie(order), { append: true });
    return c.redirect('/thanks', 303);
  });
  app.get('/thanks', (c) => c.html(thanksPage(readOrder(c.req.header('cookie')), basketOf(c))));

  app.use(serveStatic({ root: publicFolder }));
  app.notFound((c) => c.html(notFoundPage(basketOf(c)), 404));
  return app;
}
