import type { Sent } from './sent.ts';

export function nodeSnippet(origin: string, domain: string, key: string, sent: Sent): string {
  const call = sent === 'event' ? "event('Sign-up', [{ Name: 'plan', Value: 'pro' }], " : 'pageView(';
  return `// send.mjs: Node 20 or newer. First: npm install ./trackside-sdk-0.1.0.tgz
// (run npm pack -w sdk in Trackside's folder to make that file)
import { Trackside } from '@trackside/sdk';

const client = new Trackside({ url: '${origin}', apiKey: '${key}' });
const { code, message } = await client.${call}{
  Browser: {
    IP: '203.0.113.7',
    UserAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  },
  Identify: { ClientId: null }, // your own id of a signed-in user, if you have one
  Language: { Code: 'en' },
  Location: { CountryCode: 'DE' },
  Page: { Absolute: 'https://${domain}/' },
  Referrer: { Absolute: 'https://www.google.com/' },
  Screen: { Width: 1920, Height: 1080 },
});
console.log(code, message);
await client.close();
`;
}

export const nodeEndpoint = (
  origin: string,
  key: string,
): string => `// server.mjs: First: npm install express ./trackside-sdk-0.1.0.tgz
import { Trackside } from '@trackside/sdk';
import { trackEvents, trackside } from '@trackside/sdk/express';
import express from 'express';

const client = new Trackside({ url: '${origin}', apiKey: '${key}' });
const trackEvent = trackEvents({ trackside: client });
const app = express();
// Serves the script and receives what it sends. Behind a proxy, add proxies: { hops: 1 }.
app.use(trackside({ trackside: client }));
app.post('/sign-up', (request, response) => {
  trackEvent(request, 'Sign-up', { plan: 'pro' });
  response.redirect(303, '/welcome');
});
app.listen(3000);
`;
