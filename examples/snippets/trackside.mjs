// trackside.mjs: Node 20 or newer. First: npm install ./trackside-sdk-0.1.0.tgz
// (npm pack -w sdk in Trackside's folder makes that file.)
//   node trackside.mjs          sends a test page view and an event
//   node trackside.mjs serve    receives what the script in your pages sends, on port 3000
// The SDK sets time limits, and sends a record again with its one Idempotency-Key until there is an answer.
import { createServer } from 'node:http';
import { Trackside } from '@trackside/sdk';
import { cloudflare } from '@trackside/sdk/location';
import { createListener, trackEvents } from '@trackside/sdk/node';

const client = new Trackside({
  url: 'http://127.0.0.1:8080',
  apiKey: 'YOUR_API_KEY',
});
const options = {
  trackside: client,
  proxies: undefined, // behind one proxy of yours: { hops: 1 }
  location: cloudflare, // if you are behind Cloudflare
};

if (process.argv[2] === 'serve') {
  // Express, Fastify, Hono and Next.js have their own adapters.
  const answer = createListener(options);
  const trackEvent = trackEvents(options);
  createServer((request, response) => {
    if (answer(request, response)) return;
    if (request.method !== 'POST' || request.url !== '/sign-up') return response.writeHead(404).end();
    trackEvent(request, 'Sign-up', { plan: 'pro' });
    response.writeHead(303, { Location: '/welcome' }).end();
  }).listen(3000, '127.0.0.1');
} else {
  const metrics = {
    Browser: {
      IP: '203.0.113.7',
      UserAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    },
    Identify: { ClientId: null }, // your own id of a signed-in user, if you have one
    Language: { Code: 'en' },
    Location: { CountryCode: 'DE' },
    Page: { Absolute: 'https://shop.example/' },
    Referrer: { Absolute: 'https://www.google.com/' },
    Screen: { Width: 1920, Height: 1080 },
  };
  for (const result of [
    await client.pageView(metrics),
    await client.event('Sign-up', [{ Name: 'plan', Value: 'pro' }], metrics),
  ])
    console.log(result.code, result.message);
  await client.close();
}
