/**
 * The Express shop in its own process: without the SDK, with its endpoint, or counting pages on the server.
 */
import { createServer } from 'node:http';
import { Trackside } from '@trackside/sdk';
import { countPages, trackside } from '@trackside/sdk/express';
import { cloudflare } from '@trackside/sdk/location';
import express from 'express';
import { addPages } from '../../examples/shop/express-shop.ts';

const [mode, url = '', apiKey = ''] = process.argv.slice(2);
const client = new Trackside({ url, apiKey, queue: { maxRecords: 100_000 }, onError: () => {} });
const app = express();
const options = {
  trackside: client,
  proxies: { header: 'cf-connecting-ip' },
  location: cloudflare,
  // The limit is checked as usual, but never reached: the load comes from few visitors.
  rateLimit: { perMinute: 1e9 },
};
if (mode === 'endpoint') app.use(trackside(options));
if (mode === 'count-pages') app.use(countPages(options));
app.get('/usage', (_request, response) => {
  const { user, system } = process.cpuUsage();
  response.json({ counts: client.counts(), cpuMs: (user + system) / 1000 });
});
addPages(app, options);

const server = createServer(app).listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`listens on http://127.0.0.1:${address?.port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
