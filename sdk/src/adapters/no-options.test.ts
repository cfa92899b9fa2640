import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as forExpress from './express/express.ts';
import * as forHono from './hono/hono.ts';
import * as forNext from './next/next.ts';
import * as forNode from './node/node.ts';
import * as forWeb from './web/web.ts';

for (const [name, create] of [
  ['trackside of Express', () => forExpress.trackside(undefined as never)],
  ['trackside of Hono', () => forHono.trackside(undefined as never)],
  ['countPages of Hono', () => forHono.countPages(undefined as never)],
  ['trackEvents of Hono', () => forHono.trackEvents(undefined as never)],
  ['createRoute of Next.js', () => forNext.createRoute(undefined as never)],
  ['trackEvents of Next.js', () => forNext.trackEvents(undefined as never)],
  ['createListener of Node', () => forNode.createListener(undefined as never)],
  ['createWebHandler', () => forWeb.createWebHandler(undefined as never)],
] as const) {
  test(`${name} says what it expects if it is called without options`, () => {
    assert.throws(create, {
      message: /^options: expected an object with the client/,
    });
  });
}
