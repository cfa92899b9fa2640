import type { Demo } from '../../src/api/shapes.ts';
import { emptyData, fullData, type StandInData, website } from '../stand-in/stand-in-data.ts';

export const admin = () => fullData('admin');
export const viewer = () => fullData('viewer');
export const nothing = emptyData;
export const signedOut = (): StandInData => ({ ...admin(), session: undefined });
export const engineAway = (): StandInData => ({ ...admin(), isEngineAway: true });

const names = [
  'Oak & Lamp',
  'Blog',
  'Documentation',
  'Bücher und Karten für Wanderungen in den Alpen',
  'Status',
  'Careers',
  'Community forum',
  'Wholesale',
];

/** Returns the given number of websites, with names of all lengths. A viewer can see all of them. */
export function manyWebsites(count: number): StandInData {
  const data = admin();
  const { resetsAt } = data.websites[0]!.usage;
  data.websites = Array.from({ length: count }, (_, index) => {
    const domain = `${index % 7 === 3 ? 'a-rather-long-subdomain-of-' : ''}site-${index + 1}.example.com`;
    const used = Math.round(240_000 / (index + 1));
    const limit = index % 3 === 0 ? 250_000 : null;
    return website(index + 1, {
      name: `${names[index % names.length]}${index < names.length ? '' : ` ${index + 1}`}`,
      domain,
      shownDomain: domain,
      contingent: limit,
      usage: { used, refused: 0, limit, resetsAt },
    });
  });
  data.users[1]!.websites = data.websites.map(({ id }) => id);
  data.activity = new Map(
    data.websites.map(({ id }) => [
      id,
      {
        visitors: Math.round(24_000 / id),
        visitorsBefore: Math.round((24_000 / id) * (0.8 + 0.1 * (id % 5))),
        byHour: Array.from({ length: 24 }, (_, hour) => Math.round((900 / id) * (1.2 + Math.sin(hour / 4)))),
      },
    ]),
  );
  return data;
}

/** The first website has used this much of its quota. */
export function withQuota(used: number, refused: number): StandInData {
  const data = admin();
  Object.assign(data.websites[0]!.usage, { used, refused });
  return data;
}

export const withDemo = (demo: Demo): StandInData => ({ ...admin(), demo });

/** The first website has no visitors yet. */
export function withoutVisitors(data: StandInData): StandInData {
  data.websites[0]!.usage.used = 0;
  data.activity.set(1, { visitors: 0, visitorsBefore: 0, byHour: [] });
  return data;
}

/** Nothing has been saved for the website. */
export function withoutKept(): StandInData {
  const data = admin();
  data.notes = new Map();
  data.funnels = new Map();
  data.segments = new Map();
  data.goals = new Map();
  return data;
}

const long = 'How visitors who came from the autumn letter find a desk, and then a lamp that goes with it';

/** The saved items have long names, and there are many of them. */
export function withLongNames(): StandInData {
  const data = admin();
  const steps = [{ page: '/products/*' }, { event: 'add-to-cart' }, { page: '/checkout' }];
  data.funnels.set(1, [
    { id: 1, name: long, withinDays: 14, steps },
    { id: 2, name: 'Sign-up', withinDays: null, steps: steps.slice(0, 2) },
    { id: 3, name: 'Newsletter', withinDays: null, steps },
    { id: 4, name: 'From the letter to an account', withinDays: null, steps },
  ]);
  data.goals.set(1, [
    { id: 1, name: long, goal: { event: 'purchase' } },
    { id: 2, name: null, goal: { page: '/blog/how-we-cut-our-shipping-times-in-half*' } },
    { id: 3, name: null, goal: { event: 'signup' } },
  ]);
  data.segments.get(1)!.push({
    id: 3,
    name: long,
    isPersonal: true,
    filters: [{ dimension: 'page', contains: '/products/' }],
  });
  data.websites[0]!.name = 'The oak and lamp shop of the workshop by the lake';
  data.websites[0]!.shownDomain = 'the-oak-and-lamp-shop.of-the-workshop.by-the-lake.example.com';
  return data;
}
