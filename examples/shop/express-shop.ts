import { fileURLToPath } from 'node:url';
import { trackEvents, trackside } from '@trackside/sdk/express';
import express, { type Express, type Request } from 'express';
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

/**
 * Creates the shop on Express. `app.use(trackside(…))` is all it takes to count pages and receive what
 * browsers send.
 */
export function createExpressShop(options: ShopOptions): Express {
  const app = express();
  app.use(trackside(options));
  addPages(app, options);
  return app;
}

/**
 * Adds the shop itself. Without Trackside it would be the same except for one line, which reports a paid
 * order.
 */
export function addPages(app: Express, options: ShopOptions): void {
  const catalogue = openCatalogue();
  const trackEvent = trackEvents(options);
  const basketOf = (request: Request) => readBasket(request.headers.cookie, catalogue);
  app.use(express.urlencoded({ extended: false }));

  app.get('/', (request, response) => void response.send(homePage(catalogue, basketOf(request))));
  app.get('/about', (request, response) => void response.send(aboutPage(catalogue, basketOf(request))));
  app.get('/maps', (request, response) => void response.send(mapsPage(catalogue, basketOf(request))));
  app.get('/maps/:region', (request, response, next) => {
    const { region } = request.params;
    if (isRegion(region)) response.send(mapsPage(catalogue, basketOf(request), region));
    else next();
  });
  app.get('/maps/:region/:slug', (request, response, next) => {
    const print = catalogue.find(request.params.slug);
    if (print?.region === request.params.region) response.send(printPage(print, basketOf(request)));
    else next();
  });

  app.get('/basket', (request, response) => void response.send(basketPage(basketOf(request))));
  app.post('/basket', (request, response) => {
    const basket = changeBasket(basketOf(request), request.body, catalogue);
    response.setHeader('Set-Cookie', basketCookie(basket)).redirect(303, '/basket');
  });

  app.get('/checkout', (request, response) => void response.send(checkoutPage(basketOf(request))));
  app.post('/checkout', (request, response) => {
    const order = orderOf(basketOf(request));
    if (order === undefined) return response.redirect(303, '/basket');
    // Money is counted where it is taken, not in a browser that may be gone. The call neither waits nor
    // throws.
    trackEvent(request, 'Order paid', { order: order.number, total: order.totalCents / 100 });
    response.setHeader('Set-Cookie', [basketCookie(), orderCookie(order)]).redirect(303, '/thanks');
  });
  app.get('/thanks', (request, response) => {
    response.send(thanksPage(readOrder(request.headers.cookie), basketOf(request)));
  });

  app.use(express.static(publicFolder));
  app.use((request, response) => void response.status(404).send(notFoundPage(basketOf(request))));
}
