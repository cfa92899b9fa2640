import type { Weighted } from './create-choice.ts';
import type { Origin } from './demo-origins.ts';
import type { Destination, Way } from './demo-pages.ts';

export type Campaign = {
  name: string;
  source: string;
  medium: string;
  way: Extract<Way, 'paid' | 'email'>;
  terms: readonly string[];
  contents: readonly string[];
  landing: Destination;
  origins: Weighted<Origin>;
  /** The campaign's visits, as a fraction of those that come without campaigns. */
  lift: number;
  /** Positions in the list of days, both included. */
  firstIndex: number;
  lastIndex: number;
};

type Draft = Omit<Campaign, 'firstIndex' | 'lastIndex'> & { startsAt: number; weeks: number };

const google: Weighted<Origin> = [[1, { referrer: 'https://www.google.com/' }]];
const mailbox: Weighted<Origin> = [
  [60, { referrer: null }],
  [28, { referrer: 'https://mail.google.com/' }],
  [12, { referrer: 'https://outlook.live.com/' }],
];

const drafts: readonly Draft[] = [
  {
    name: 'search-team-wiki',
    source: 'google',
    medium: 'cpc',
    way: 'paid',
    origins: google,
    terms: ['team wiki', 'knowledge base', 'internal wiki software'],
    contents: ['headline-calm', 'headline-own-your-data'],
    landing: '/features',
    lift: 0.13,
    startsAt: 0.1,
    weeks: 3,
  },
  {
    name: 'team-plan-launch',
    source: 'linkedin',
    medium: 'paid_social',
    way: 'paid',
    terms: [],
    contents: ['carousel', 'founder-video'],
    origins: [[1, { referrer: 'https://www.linkedin.com/' }]],
    landing: '/pricing',
    lift: 0.09,
    startsAt: 0.27,
    weeks: 2,
  },
  {
    name: 'release-2-1',
    source: 'newsletter',
    medium: 'email',
    way: 'email',
    origins: mailbox,
    terms: [],
    contents: ['top-button', 'text-link'],
    landing: '/blog/release-2-1',
    lift: 0.11,
    startsAt: 0.47,
    weeks: 2,
  },
  {
    name: 'reader-offer',
    source: 'devweekly',
    medium: 'sponsored',
    way: 'paid',
    terms: [],
    contents: ['issue-211', 'issue-212', 'issue-213'],
    origins: [
      [60, { referrer: null }],
      [40, { referrer: 'https://devweekly.example/' }],
    ],
    landing: '/',
    lift: 0.08,
    startsAt: 0.7,
    weeks: 3,
  },
  {
    name: 'search-confluence',
    source: 'google',
    medium: 'cpc',
    way: 'paid',
    origins: google,
    terms: ['confluence alternative', 'confluence self hosted', 'move from confluence'],
    contents: ['headline-import', 'headline-price'],
    landing: '/compare/confluence',
    lift: 0.14,
    startsAt: 0.87,
    weeks: 4,
  },
  {
    name: 'year-two-offer',
    source: 'newsletter',
    medium: 'email',
    way: 'email',
    origins: mailbox,
    terms: [],
    contents: ['top-button', 'footer'],
    landing: '/pricing',
    lift: 0.12,
    startsAt: 0.975,
    weeks: 2,
  },
];

/** Plans campaigns of a few weeks each over a year. They are shorter if the demo is shorter. */
export function planCampaigns(days: number): Campaign[] {
  const scale = Math.min(1, days / 365);
  return drafts.map(({ startsAt, weeks, ...campaign }) => {
    const firstIndex = Math.floor(startsAt * days);
    const length = Math.max(1, Math.round(weeks * 7 * scale));
    return { ...campaign, firstIndex, lastIndex: Math.min(days - 1, firstIndex + length - 1) };
  });
}
