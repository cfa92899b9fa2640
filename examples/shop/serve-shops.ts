import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createExpressShop } from './express-shop.ts';
import { createHonoShop } from './hono-shop.ts';
import type { ShopOptions } from './shop-options.ts';

export type Shops = { expressUrl: string; honoUrl: string; close: () => Promise<void> };

/** Serves both shops to this machine. A port of 0 takes a free one. */
export async function serveShops(
  options: ShopOptions,
  ports: { express: number; hono: number },
): Promise<Shops> {
  const onExpress = createServer(createExpressShop(options));
  const onHono = createServer(getRequestListener(createHonoShop(options).fetch));
  const close = async () => {
    await Promise.all([closeServer(onExpress), closeServer(onHono)]);
  };
  try {
    return {
      expressUrl: await listen(onExpress, ports.express),
      honoUrl: await listen(onHono, ports.hono),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

/** Answers what is in progress first, and closes idle connections. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
