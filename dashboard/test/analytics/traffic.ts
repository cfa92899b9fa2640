import { event, pageView } from '../../../server/test/support/records.ts';

/**
 * The people who visit the website of these tests, and what they do. The expected numbers are counted from
 * this list.
 */
export type Person = {
  day: 'yesterday' | 'today';
  ip: string;
  agent: Agent;
  place: Place;
  origin: Origin;
  language: string;
  screen: readonly [width: number, height: number];
  /** Undefined for a person who is recognized only by address and browser. */
  clientId: string | undefined;
  steps: readonly Step[];
};

export type Step = { page: string; event?: string; parameters?: Readonly<Record<string, string>> };

type Agent = { text: string; browser: string; version: string; os: string; device: string };
type Place = { continent: string; code: string; country: string; region: string; city: string };
/** `source`, `channel` and `referrer` as the page names them. */
type Origin = {
  url: string | null;
  tags: Readonly<Record<string, string>>;
  source: string;
  channel: string;
  referrer: string | undefined;
};

const agents = {
  chrome: {
    text: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    browser: 'Chrome',
    version: 'Chrome 142',
    os: 'Windows',
    device: 'Desktop',
  },
  firefox: {
    text: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    browser: 'Firefox',
    version: 'Firefox 145',
    os: 'Linux',
    device: 'Desktop',
  },
  iphone: {
    text: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    browser: 'Safari',
    version: 'Safari 18.6',
    os: 'iOS',
    device: 'Phone',
  },
  android: {
    text: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    browser: 'Chrome',
    version: 'Chrome 141',
    os: 'Android',
    device: 'Phone',
  },
  tablet: {
    text: 'Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    browser: 'Safari',
    version: 'Safari 16.6',
    os: 'iOS',
    device: 'Tablet',
  },
} as const satisfies Record<string, Agent>;

const place = (continent: string, code: string, country: string, region: string, city: string): Place => ({
  continent,
  code,
  country,
  region,
  city,
});
const places = {
  munich: place('EU', 'DE', 'Germany', 'Bavaria', 'Munich'),
  berlin: place('EU', 'DE', 'Germany', 'Berlin', 'Berlin'),
  vienna: place('EU', 'AT', 'Austria', 'Vienna', 'Vienna'),
  paris: place('EU', 'FR', 'France', 'Île-de-France', 'Paris'),
  austin: place('NA', 'US', 'United States', 'Texas', 'Austin'),
  zurich: place('EU', 'CH', 'Switzerland', 'Zurich', 'Zürich'),
  tokyo: place('AS', 'JP', 'Japan', 'Tokyo', 'Tokyo'),
};

const from = (url: string, source: string, channel: string, referrer: string): Origin => ({
  url,
  tags: {},
  source,
  channel,
  referrer,
});
const origins = {
  direct: { url: null, tags: {}, source: 'Direct', channel: 'Direct', referrer: undefined },
  google: from('https://www.google.com/', 'Google', 'Organic search', 'google.com'),
  chatgpt: from('https://chatgpt.com/', 'ChatGPT', 'AI assistants', 'chatgpt.com'),
  forum: from('https://forum.test/thread/7', 'forum.test', 'Referral', 'forum.test/thread/7'),
  letter: {
    url: null,
    source: 'november',
    channel: 'Email',
    referrer: undefined,
    tags: { source: 'november', medium: 'email', campaign: 'launch' },
  },
  advert: {
    url: null,
    source: 'Google',
    channel: 'Paid search',
    referrer: undefined,
    tags: { source: 'google', medium: 'cpc', campaign: 'autumn', term: 'shoes', content: 'banner' },
  },
} satisfies Record<string, Origin>;

const signUp = (plan: string, method: string): Step => ({
  page: '/pricing',
  event: 'Signup',
  parameters: { plan, method },
});
const articles = Array.from({ length: 52 }, (_, index) => ({ page: `/articles/${index + 1}` }));

type Group = Omit<Person, 'ip' | 'clientId'> & { count: number; clientId?: string };
type Kind = Omit<Group, 'count' | 'day' | 'steps'>;

const [home, pricing, docs] = [{ page: '/' }, { page: '/pricing' }, { page: '/docs' }];
const germans: Kind = {
  agent: agents.chrome,
  place: places.munich,
  origin: origins.google,
  language: 'de',
  screen: [1920, 1080],
};
const austrians: Kind = {
  agent: agents.iphone,
  place: places.vienna,
  origin: origins.direct,
  language: 'de',
  screen: [390, 844],
};
const member: Kind = {
  agent: agents.chrome,
  place: places.tokyo,
  origin: origins.advert,
  clientId: 'member-1',
  language: 'ja',
  screen: [1920, 1080],
};

const groups: readonly Group[] = [
  { count: 5, day: 'yesterday', ...germans, steps: [home, pricing] },
  { count: 2, day: 'yesterday', ...austrians, steps: [home] },
  { count: 1, day: 'yesterday', ...member, steps: [pricing] },
  { count: 9, day: 'today', ...germans, steps: [home, pricing, signUp('pro', 'email')] },
  { count: 6, day: 'today', ...austrians, steps: [home] },
  {
    count: 4,
    day: 'today',
    agent: agents.firefox,
    place: places.paris,
    origin: origins.forum,
    language: 'fr',
    screen: [1440, 900],
    steps: [docs, pricing],
  },
  {
    count: 3,
    day: 'today',
    agent: agents.android,
    place: places.austin,
    origin: origins.letter,
    language: 'en',
    screen: [412, 915],
    steps: [pricing, signUp('free', 'github')],
  },
  {
    count: 2,
    day: 'today',
    agent: agents.tablet,
    place: places.zurich,
    origin: origins.chatgpt,
    language: 'de',
    screen: [820, 1180],
    steps: [docs, { page: '/docs/api' }],
  },
  {
    count: 1,
    day: 'today',
    ...member,
    steps: [pricing, { page: '/pricing', event: 'Purchase', parameters: { plan: 'pro' } }],
  },
  {
    count: 1,
    day: 'today',
    agent: agents.chrome,
    place: places.berlin,
    origin: origins.direct,
    language: 'de',
    screen: [1920, 1080],
    clientId: 'member-2',
    steps: articles,
  },
];

export const people: readonly Person[] = groups
  .flatMap(({ count, ...person }) => Array.from({ length: count }, () => person))
  .map((person, index) => ({ clientId: undefined, ...person, ip: `198.51.100.${index + 1}` }));

export const ofToday = people.filter(({ day }) => day === 'today');
export const ofYesterday = people.filter(({ day }) => day === 'yesterday');

const bot = (name: string, agent: string, page: string) => ({ name, agent, page });
/** Bots are excluded everywhere else. */
export const bots = [
  ...['/docs', '/docs', '/pricing'].map((page) =>
    bot('GPTBot', 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)', page),
  ),
  bot('Googlebot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', '/'),
];

/** What the website's backend sends, in chronological order. */
export type Sent = { path: '/api/page-view' | '/api/event-view'; body: object };

export function recordsOf(person: Person): Sent[] {
  const { ip, agent, place: at, origin, language, screen, clientId, steps } = person;
  const tags = Object.entries(origin.tags).map(([name, value]) => `utm_${name}=${value}`);
  return steps.map(({ page, event: name, parameters = {} }, index) => {
    const search = index === 0 && tags.length > 0 ? `?${tags.join('&')}` : '';
    const about = {
      Browser: { IP: ip, UserAgent: agent.text },
      Identify: { ClientId: clientId ?? null },
      Language: { Code: language },
      Page: { Absolute: `https://shop.test${page}${search}` },
      Referrer: { Absolute: index === 0 ? origin.url : 'https://shop.test/' },
      Screen: { Width: screen[0], Height: screen[1] },
      Location: {
        ContinentCode: at.continent,
        CountryCode: at.code,
        City: at.city,
        Region: at.region,
        PostalCode: null,
        RegionCode: null,
        Timezone: null,
      },
    };
    if (name === undefined) return { path: '/api/page-view', body: pageView(about) };
    const list = Object.entries(parameters).map(([Name, Value]) => ({ Name, Value }));
    return { path: '/api/event-view', body: event(name, list, about) };
  });
}

export const recordsOfBots = (): Sent[] =>
  bots.map(({ agent, page }) => ({
    path: '/api/page-view',
    body: pageView({
      Browser: { IP: '192.0.2.1', UserAgent: agent },
      Page: { Absolute: `https://shop.test${page}` },
    }),
  }));
