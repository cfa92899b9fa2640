import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';

/** A value of a dimension, with its share of the visitors and the values that belong to it. */
export type StandInValue = {
  value: string;
  share: number;
  with?: Partial<Record<DimensionName, string>>;
};

const list = (shares: Record<string, number>): StandInValue[] =>
  Object.entries(shares).map(([value, percent]) => ({ value, share: percent / 100 }));

/** Decreases as in real lists, which are long and have little at their end. */
const tail = (count: number, from: number, name: (index: number) => string): StandInValue[] =>
  Array.from({ length: count }, (_, index) => ({ value: name(index), share: from / 100 / (index + 1.5) }));

/** Values that belong together: each occurs only with the other. */
const of = (known: NonNullable<StandInValue['with']>, shares: Record<string, number>): StandInValue[] =>
  list(shares).map((value) => ({ ...value, with: known }));

const ofPurchase = (parameterName: string, shares: Record<string, number>) =>
  of({ event: 'purchase', parameterName }, shares);

/** The values of the event parameters, by name. */
export const standInParameters: Readonly<Record<string, readonly StandInValue[]>> = {
  plan: ofPurchase('plan', { pro: 1.4, team: 0.7, 'free trial': 0.3 }),
  currency: ofPurchase('currency', { EUR: 1.8, CHF: 0.4, USD: 0.2 }),
  coupon: ofPurchase('coupon', { AUTUMN10: 0.5, WELCOME: 0.1 }),
  method: of({ event: 'signup', parameterName: 'method' }, { email: 2.9, google: 1.2 }),
  product: of({ event: 'add-to-cart', parameterName: 'product' }, { 'oak-desk': 8.8, 'desk-lamp': 5.4 }),
  quantity: of({ event: 'add-to-cart', parameterName: 'quantity' }, { 1: 11.9, 2: 2.3 }),
};

const places = (country: string, region: string, regionCode: string, shares: Record<string, number>) =>
  list(shares).map((city) => ({ ...city, with: { country, region, regionCode } }));

const cities = [
  ...places('DE', 'Berlin', 'BE', { Berlin: 11.2 }),
  ...places('DE', 'Bavaria', 'BY', { Munich: 7.9, Nuremberg: 2.1 }),
  ...places('DE', 'Hamburg', 'HH', { Hamburg: 6.3 }),
  ...places('DE', 'North Rhine-Westphalia', 'NW', { Cologne: 4.6, Düsseldorf: 2.9 }),
  ...places('AT', 'Vienna', '9', { Vienna: 7.4 }),
  ...places('AT', 'Styria', '6', { Graz: 2.2 }),
  ...places('CH', 'Zurich', 'ZH', { Zürich: 5.8 }),
  ...places('CH', 'Geneva', 'GE', { Geneva: 1.6 }),
  ...places('US', 'California', 'CA', { 'San Francisco': 2.4, 'Los Angeles': 1.5 }),
  ...places('US', 'New York', 'NY', { 'New York': 2.8 }),
  ...places('GB', 'England', 'ENG', { London: 3.1, Manchester: 0.6 }),
  ...places('FR', 'Île-de-France', 'IDF', { Paris: 2.3 }),
  ...places('NL', 'North Holland', 'NH', { Amsterdam: 1.9 }),
  ...places('PL', 'Masovian', '14', { Warsaw: 1.1 }),
  ...places('JP', 'Tokyo', '13', { Tokyo: 0.8 }),
];

/** The regions of the cities, each with all of its cities. */
const regions = [...Map.groupBy(cities, ({ with: { region } }) => region)].map(([value, inside]) => ({
  value,
  share: inside.reduce((sum, { share }) => sum + share, 0),
  with: { country: inside[0]!.with.country, regionCode: inside[0]!.with.regionCode },
}));

const versions = (dimension: 'browser' | 'os', name: string, shares: Record<string, number>) =>
  of({ [dimension]: name }, shares).map((one) => ({ ...one, value: `${name} ${one.value}` }));

const pages: StandInValue[] = [
  ...list({
    '/': 38.2,
    '/products/oak-desk': 20.5,
    '/pricing': 15,
    '/blog/how-we-cut-our-shipping-times-in-half-and-what-we-learned-on-the-way': 11.4,
    '/checkout': 6.5,
    '/products/desk-lamp': 6,
    '/about': 2.9,
    '/checkout/thanks': 2.5,
  }),
  ...tail(130, 3, (index) => `/blog/letter-from-the-workshop-${index + 1}`),
];

/** What the stand-in's visitors looked at, where they came from, and what they used. */
export const standInValues: Readonly<Record<DimensionName, readonly StandInValue[]>> = {
  page: pages,
  entryPage: pages.map(({ value, share }) => ({ value, share: share * 0.6 })),
  exitPage: pages.map(({ value, share }) => ({ value, share: share * 0.55 })),
  host: list({ 'shop.example.com': 97, 'www.shop.example.com': 3 }),
  queryParameter: list({ q: 6.2, page: 3.1, colour: 1.4 }),
  source: [
    ...list({ Google: 41.7, '': 24.6, ChatGPT: 8.5, newsletter: 7, Bing: 4, 'news.ycombinator.com': 3.4 }),
    ...list({ Reddit: 2, LinkedIn: 1.5, DuckDuckGo: 1.2, Perplexity: 0.9, Facebook: 0.8, YouTube: 0.6 }),
    ...tail(60, 0.8, (index) => `partner-${index + 1}.example.org`),
  ],
  channel: list({
    search: 46.9,
    direct: 24.6,
    ai: 9.4,
    email: 7,
    social: 4.9,
    referral: 4.6,
    paidSearch: 2.6,
  }),
  referrer: [
    ...list({ 'https://www.google.com/': 40.1, 'https://chatgpt.com/': 8.5, 'https://www.bing.com/': 4 }),
    ...list({ 'https://news.ycombinator.com/item?id=41234567': 3.4, 'https://old.reddit.com/r/desks': 1.2 }),
  ],
  utmSource: list({ newsletter: 7, google: 2.6, partner: 0.7 }),
  utmMedium: list({ email: 7, cpc: 2.6, banner: 0.7 }),
  utmCampaign: list({ 'autumn-sale': 5.1, 'november-letter': 2.4, brand: 1.7 }),
  utmTerm: list({ 'standing desk': 1.4, 'oak desk': 0.9 }),
  utmContent: list({ header: 3.2, footer: 1.1 }),
  continent: list({ EU: 84, NA: 11, AS: 3, SA: 1, OC: 0.7, AF: 0.3 }),
  country: [
    ...list({ DE: 47.6, AT: 12.7, CH: 10.8, US: 9.2, GB: 4.4, FR: 3.1, NL: 2.6, PL: 1.7, IT: 1.3 }),
    ...list({ ES: 1.1, CA: 0.9, JP: 0.8, SE: 0.7, BR: 0.5, AU: 0.5, IN: 0.5, DK: 0.4, CZ: 0.4, ZA: 0.2 }),
    ...list({ '': 0.6 }),
  ],
  region: [...regions, ...list({ '': 2.4 })],
  regionCode: regions.map(({ share, with: { country, regionCode } }) => ({
    value: regionCode,
    share,
    with: { country },
  })),
  city: [...cities, ...list({ '': 4.1 })],
  postalCode: list({ 10115: 2.2, 80331: 1.9, 1010: 1.4, 20095: 1.2 }),
  language: list({ de: 63.1, en: 24.8, fr: 4.2, it: 1.9, nl: 1.8, pl: 1.4, es: 1.2, ja: 0.7, '': 0.4 }),
  timezone: list({ 'Europe/Berlin': 47.1, 'Europe/Vienna': 12.6, 'Europe/Zurich': 10.7, '': 3 }),
  browser: [
    ...list({ Chrome: 53.9, Safari: 23.6, Firefox: 11.6, Edge: 7.1, 'Samsung Internet': 2.3 }),
    ...list({ Opera: 1, '': 0.4 }),
  ],
  browserVersion: [
    ...versions('browser', 'Chrome', { 142: 38.2, 141: 12.3, 139: 3.4 }),
    ...versions('browser', 'Safari', { 26.1: 14.6, '18.6': 9 }),
    ...versions('browser', 'Firefox', { 145: 8.9, 140: 2.7 }),
    ...versions('browser', 'Edge', { 142: 7.1 }),
  ],
  os: list({ Windows: 38.4, iOS: 21.2, macOS: 17.6, Android: 16.9, Linux: 5.1, ChromeOS: 0.5, '': 0.3 }),
  osVersion: [
    ...versions('os', 'Windows', { 11: 29.3, 10: 9.1 }),
    ...versions('os', 'iOS', { '26.1': 13.4, '18.7': 7.8 }),
    ...versions('os', 'macOS', { '26': 11.2, '15': 6.4 }),
    ...versions('os', 'Android', { '16': 9.7, '15': 7.2 }),
  ],
  device: list({ desktop: 60.7, mobile: 36.2, tablet: 2.7, tv: 0.2, unknown: 0.2 }),
  screenSize: [
    ...list({ '1920×1080': 24.1, '390×844': 15.8, '1440×900': 11.3, '2560×1440': 9.9, '412×915': 9.2 }),
    ...list({ '1536×864': 7.4, '393×852': 6.6, '1280×720': 3.2, '': 2.8 }),
  ],
  event: list({ 'add-to-cart': 14.2, signup: 4.1, purchase: 2.4, newsletter: 1.4 }),
  parameterName: [
    ...of({ event: 'add-to-cart' }, { product: 14.2, quantity: 14.2 }),
    ...of({ event: 'signup' }, { method: 4.1 }),
    ...of({ event: 'purchase' }, { plan: 2.4, currency: 2.4, coupon: 0.6 }),
  ],
  parameterValue: Object.values(standInParameters).flat(),
  hour: Array.from({ length: 24 }, (_, hour) => ({ value: String(hour).padStart(2, '0'), share: 1 / 24 })),
  weekday: list({ 1: 16.4, 2: 16.8, 3: 16.1, 4: 15.7, 5: 14.9, 6: 9.6, 7: 10.5 }),
  visitorType: list({ new: 11.8, returning: 6.3 }),
};
