import type { EventBody } from '../intake/steps/validate.ts';
import type { Person } from './create-person-maker.ts';
import type { Random } from './create-random.ts';
import type { Page } from './create-sites.ts';
import type { Destination } from './demo-pages.ts';

export type DemoEvent = Pick<EventBody, 'Name' | 'Parameters'> & {
  /** The page that the website shows after the event. */
  leadsTo?: Destination;
};

const prices: Record<string, { monthly: string; yearly: string }> = {
  pro: { monthly: '9.00', yearly: '90.00' },
  team: { monthly: '29.00', yearly: '290.00' },
  business: { monthly: '79.00', yearly: '790.00' },
};
const currencies: Record<string, string> = {
  US: 'USD',
  CA: 'USD',
  AU: 'USD',
  IN: 'USD',
  GB: 'GBP',
  CH: 'CHF',
};
const outboundLinks = ['https://github.com/', 'https://hub.docker.com/', 'https://mastodon.social/'];

/** Chooses what someone does on a page besides reading it, if anything. */
export function chooseEvent(page: Page, person: Person, random: Random): DemoEvent | undefined {
  if (page.term !== undefined) {
    const results = page.term.length % 5 === 0 ? 0 : (page.term.length * 7) % 19;
    return event('Search', { term: page.term, results: String(results) });
  }
  if (page.address === '/signup' && random.chance(0.2)) {
    const plan = random.pick(['free', 'free', 'free', 'free', 'pro', 'pro', 'team']);
    const method = random.pick(['email', 'email', 'email', 'google', 'github']);
    return event('Signup', { plan, method }, '/welcome');
  }
  if (page.address === '/checkout' && random.chance(0.62)) return purchase(person, random);
  if (page.address === '/download' && random.chance(0.5)) {
    return event('Download', { file: fileFor(person.Browser.UserAgent), version: '2.2.0' });
  }
  if (page.address === '/contact' && random.chance(0.25)) {
    return event('Contact', { topic: random.pick(['sales', 'sales', 'support', 'press', 'security']) });
  }
  if (page.address === '/' && random.chance(0.05)) {
    return event('Play video', { video: 'tour', seconds: String(random.between(4, 94)) });
  }
  if (page.group === 'post' && random.chance(0.025)) return event('Newsletter', { place: 'below post' });
  if (page.group === 'docs' && random.chance(0.03)) {
    return event('Outbound link', { url: random.pick(outboundLinks) });
  }
  return undefined;
}

function purchase(person: Person, random: Random): DemoEvent {
  const plan = random.pick(['pro', 'pro', 'pro', 'team', 'team', 'business']);
  const interval = random.chance(0.4) ? 'yearly' : 'monthly';
  const currency = currencies[person.country] ?? 'EUR';
  return event('Purchase', { plan, interval, value: prices[plan]![interval], currency }, '/account');
}

function fileFor(userAgent: string): string {
  if (userAgent.includes('Windows')) return 'lantern-setup.exe';
  if (userAgent.includes('Macintosh')) return 'lantern.dmg';
  return userAgent.includes('X11') ? 'lantern-amd64.deb' : 'docker-compose.yml';
}

function event(name: string, parameters: Record<string, string>, leadsTo?: Destination): DemoEvent {
  return {
    Name: name,
    Parameters: Object.entries(parameters).map(([Name, Value]) => ({ Name, Value })),
    ...(leadsTo && { leadsTo }),
  };
}
