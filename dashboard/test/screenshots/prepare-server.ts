import { type AppClient, createAppClient } from '../../../server/test/support/app-client.ts';
import { event, pageView, post } from '../../../server/test/support/records.ts';
import type { Trackside } from '../../../server/test/support/start-trackside.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';

const password = 'a long enough secret';
export const owner = { email: 'owner@example.com', password };
const domain = 'fieldnotes.example';

export type Websites = {
  /** The website with the demo's visitors. */
  demo: number;
  /** A website that has sent nothing yet. */
  fresh: number;
  /** The public link of the demo. */
  share: string;
};

/** The demo, a blog, and a website that has sent nothing yet. */
export async function prepareServer({ origin, run }: Trackside): Promise<Websites> {
  const admin = createAppClient(origin);
  await admin.ask('POST', '/api/session', { body: owner });
  const { body: list } = await admin.ask('GET', '/api/websites');
  // The website that a new server creates becomes the demo.
  const demo = list.websites[0].id as number;
  const site = `/api/websites/${demo}`;
  const base = { timezone: 'Europe/Berlin', contingent: null };
  const changes = { ...base, name: 'Fieldnotes', domain, contingent: 250_000, retentionDays: 730 };
  const { status, text } = await admin.ask('PATCH', site, { body: { ...changes, version: 1 } });
  if (status !== 200) throw new Error(`expected the website to be changed, got ${status}: ${text}`);
  const add = async (body: object) => (await admin.ask('POST', '/api/websites', { body })).body.id as number;
  const blog = await add({ ...base, domain: 'bücher.example', name: 'Reading room', contingent: 120 });
  const fresh = await add({ ...base, domain: 'docs.example.com', name: 'Documentation' });
  const { body: shared } = await admin.ask('PUT', `${site}/share`, { body: { isOn: true } });
  for (const name of ['Weekly report', 'Screen in the office'])
    await admin.ask('POST', `${site}/tokens`, { body: { name } });
  await admin.ask('POST', '/api/users', {
    body: { email: 'vera@example.com', password, role: 'viewer', websites: [demo, blog] },
  });
  // Last, so that its newest visitors are still there when the pictures are taken.
  const { code, stderr } = await run('demo', '--domain', domain, '--visits-per-day', '1500');
  if (code !== 0) throw new Error(`expected the demo to be made, got: ${stderr}`);
  await sendRecords(admin, origin(), demo, blog);
  return { demo, fresh, share: shared.share.path as string };
}

const agents = {
  linux: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  windows: pageView().Metrics.Browser.UserAgent,
};

/** The visitors who arrive while the pictures are taken. */
const passersBy: readonly (readonly [string, string, string | null, keyof typeof agents])[] = [
  ['/pricing', 'FR', 'https://www.google.com/', 'windows'],
  ['/', 'US', 'https://news.ycombinator.com/', 'linux'],
  ['/docs/import/confluence', 'AT', 'https://duckduckgo.com/', 'linux'],
  ['/features', 'GB', null, 'iphone'],
  ['/', 'IN', 'https://chatgpt.com/', 'windows'],
  ['/blog/sqlite-is-enough', 'NL', 'https://www.reddit.com/', 'iphone'],
  ['/docs/install/docker', 'DE', 'https://github.com/', 'linux'],
  ['/', 'JP', 'https://www.bing.com/', 'windows'],
];

/**
 * Sends records as backends would: for the live view, the recent requests, and a contingent that is nearly
 * used up.
 */
async function sendRecords(admin: AppClient, origin: string, demo: number, blog: number): Promise<void> {
  const keyOf = async (id: number) =>
    (await admin.ask('GET', `/api/websites/${id}/key`)).body.apiKey as string;
  const [demoKey, blogKey] = [await keyOf(demo), await keyOf(blog)];
  await waitFor('the keys to work', async () => {
    const { status } = await post(origin, '/api/page-view', blogKey, pageView());
    return status === 200;
  });
  for (let visitor = 0; visitor < 110; visitor += 1) {
    const Browser = { IP: `198.51.100.${visitor}`, UserAgent: agents.windows };
    await post(origin, '/api/page-view', blogKey, pageView({ Browser }));
  }
  const page = (path: string) => ({ Page: { Absolute: `https://${domain}${path}` } });
  for (const [index, [path, CountryCode, referrer, agent]] of passersBy.entries()) {
    const visit = {
      ...page(path),
      Referrer: { Absolute: referrer },
      Location: { CountryCode },
      Browser: { IP: `192.0.2.${index}`, UserAgent: agents[agent] },
    };
    await post(origin, '/api/page-view', demoKey, pageView(visit));
  }
  await post(origin, '/api/page-view', demoKey, pageView({ Language: { Code: 'en-US' } }));
  const parameters = [
    { Name: 'plan', Value: 'pro' },
    { Name: 'currency', Value: 'EUR' },
  ];
  await post(origin, '/api/event-view', demoKey, event('Purchase', parameters, page('/account')));
  await waitFor('the records to be counted', async () => {
    const { body } = await admin.ask('GET', `/api/websites/${blog}/activity`);
    return body.visitors > 100;
  });
}
