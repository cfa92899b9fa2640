import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeBasket, orderOf, readBasket, readOrder } from './basket.ts';
import { openCatalogue } from './catalogue.ts';
import { basketCookie, orderCookie } from './cookies.ts';

const catalogue = openCatalogue();
const pairOf = (cookie: string) => cookie.split(';')[0]!;

test('a basket survives its cookie, and adds up', () => {
  const add = (size: string) => ({ action: 'add', slug: 'skerra', size });
  let basket = changeBasket(readBasket(undefined, catalogue), add('a2'), catalogue);
  basket = changeBasket(changeBasket(basket, add('a2'), catalogue), add('a3'), catalogue);
  const again = readBasket(`theme=dark; ${pairOf(basketCookie(basket))}`, catalogue);
  assert.deepEqual(again, basket);
  assert.deepEqual([again.count, again.totalCents], [3, 2 * 4400 + 2900]);
  const less = changeBasket(again, { action: 'remove', slug: 'skerra', size: 'a2' }, catalogue);
  assert.equal(less.totalCents, 2900);
});

test('ignores what the shop does not sell in a forged cookie or form', () => {
  const forged = 'basket=skerra.a2.-5~nowhere.a2.1~skerra.a9.1~__proto__.a2.1~skerra.toString.1~~';
  const basket = readBasket(forged, catalogue);
  assert.deepEqual([basket.lines.length, basket.count], [1, 1]);
  for (const form of [
    undefined,
    {},
    { action: 'add', slug: ['skerra'], size: ['a2'] },
    { action: 'steal', slug: 'skerra', size: 'a2' },
  ])
    assert.equal(changeBasket(basket, form, catalogue), basket);
});

test('makes an order from a non-empty basket, and reads it back from its cookie only if complete', () => {
  assert.equal(orderOf(readBasket('', catalogue)), undefined);
  const order = orderOf(readBasket('basket=skerra.a1.2', catalogue))!;
  assert.deepEqual([order.count, order.totalCents], [2, 13_600]);
  assert.deepEqual(readOrder(pairOf(orderCookie(order))), order);
  assert.equal(readOrder('order=<b>.1.1'), undefined);
});
