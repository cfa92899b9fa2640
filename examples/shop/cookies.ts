import type { Basket, Order } from './basket.ts';

/**
 * Returns a cookie that keeps the basket in the browser, because the shop has no database. Without a basket,
 * it is emptied.
 */
export function basketCookie(basket?: Basket): string {
  const lines = basket?.lines.map(({ print, size, quantity }) => `${print.slug}.${size}.${quantity}`) ?? [];
  const maxAgeSeconds = lines.length === 0 ? 0 : 604_800;
  return `basket=${lines.join('~')}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
}

export function orderCookie({ number, totalCents, count }: Order): string {
  return `order=${number}.${totalCents}.${count}; Path=/thanks; HttpOnly; SameSite=Lax; Max-Age=3600`;
}

export function findCookie(cookies: string | undefined, name: string): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
