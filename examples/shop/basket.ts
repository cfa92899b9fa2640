import { randomInt } from 'node:crypto';
import { type Catalogue, isSize, type MapPrint, type Size, sizes } from './catalogue.ts';
import { findCookie } from './cookies.ts';

export type Line = { print: MapPrint; size: Size; quantity: number };
export type Basket = { lines: readonly Line[]; count: number; totalCents: number };
export type Order = { number: string; totalCents: number; count: number };

const maxQuantity = 9;

/** Reads the basket from the visitor's cookie, and leaves out anything that the shop does not sell. */
export function readBasket(cookies: string | undefined, catalogue: Catalogue): Basket {
  const lines = (findCookie(cookies, 'basket') ?? '').split('~').flatMap((text): Line[] => {
    const [slug = '', size = '', quantity] = text.split('.');
    const print = catalogue.find(slug);
    if (print === undefined || !isSize(size)) return [];
    return [{ print, size, quantity: clampQuantity(Number(quantity)) }];
  });
  return toBasket(lines);
}

/** Applies a form to the basket. A form that makes no sense changes nothing. */
export function changeBasket(
  basket: Basket,
  form: Record<string, unknown> | undefined,
  catalogue: Catalogue,
): Basket {
  const { action, slug, size } = form ?? {};
  const print = catalogue.find(String(slug));
  if (print === undefined || typeof size !== 'string' || !isSize(size)) return basket;
  const isSame = (line: Line) => line.print === print && line.size === size;
  const [same, others] = [basket.lines.find(isSame), basket.lines.filter((line) => !isSame(line))];
  if (action === 'remove') return toBasket(others);
  if (action !== 'add') return basket;
  const quantity = clampQuantity((same?.quantity ?? 0) + 1);
  return toBasket([...others, { print, size, quantity }]);
}

/** Returns the order for a paid basket, or undefined if it is empty. */
export function orderOf({ count, totalCents }: Basket): Order | undefined {
  if (count === 0) return undefined;
  return { number: `IL-${randomInt(10_000_000, 100_000_000)}`, totalCents, count };
}

export function readOrder(cookies: string | undefined): Order | undefined {
  const found = /^(IL-\d{8})\.(\d{1,7})\.(\d{1,3})$/.exec(findCookie(cookies, 'order') ?? '');
  if (found === null) return undefined;
  return { number: found[1]!, totalCents: Number(found[2]), count: Number(found[3]) };
}

export const showPrice = (cents: number): string => `€${(cents / 100).toFixed(2)}`;

function toBasket(lines: readonly Line[]): Basket {
  const sum = (of: (line: Line) => number) => lines.reduce((total, line) => total + of(line), 0);
  return {
    lines,
    count: sum(({ quantity }) => quantity),
    totalCents: sum(({ size, quantity }) => sizes[size].priceCents * quantity),
  };
}

function clampQuantity(quantity: number): number {
  return Number.isInteger(quantity) ? Math.min(Math.max(quantity, 1), maxQuantity) : 1;
}
