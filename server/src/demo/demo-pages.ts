/** The demo's website: a made-up company called Lantern that sells a wiki for teams. */
import type { Weighted } from './create-choice.ts';

/** How a visit begins. It decides on the first page, and on how far the visit goes. */
export type Way = 'direct' | 'search' | 'social' | 'ai' | 'referral' | 'email' | 'paid' | 'viral' | 'member';

/** Either a path, or a group of pages from which one is chosen. */
export type Destination = `/${string}` | 'docs' | 'post' | 'search';

export const documentation: Weighted<string> = [
  [18, '/docs'],
  [20, '/docs/install'],
  [14, '/docs/install/docker'],
  [9, '/docs/first-steps'],
  [12, '/docs/import'],
  [8, '/docs/import/confluence'],
  [7, '/docs/editor'],
  [11, '/docs/api'],
  [6, '/docs/webhooks'],
  [9, '/docs/backup'],
  [7, '/docs/single-sign-on'],
  [6, '/docs/upgrade'],
  [5, '/docs/faq'],
];

export const viralPost = '/blog/why-we-left-the-cloud';

/** `publishedAt` is a fraction of the demo's period. Below 0, the post came out before the period. */
export const posts: readonly { path: string; weight: number; publishedAt: number }[] = [
  { path: '/blog/notes-that-last', weight: 9, publishedAt: -1 },
  { path: '/blog/sqlite-is-enough', weight: 16, publishedAt: -0.6 },
  { path: '/blog/moving-from-confluence', weight: 14, publishedAt: -0.2 },
  { path: '/blog/release-2-0', weight: 7, publishedAt: 0.1 },
  { path: '/blog/a-wiki-nobody-hates', weight: 10, publishedAt: 0.24 },
  { path: '/blog/markdown-or-blocks', weight: 9, publishedAt: 0.38 },
  { path: '/blog/release-2-1', weight: 6, publishedAt: 0.47 },
  { path: '/blog/how-we-price', weight: 8, publishedAt: 0.74 },
  { path: '/blog/release-2-2', weight: 7, publishedAt: 0.86 },
  { path: '/blog/what-crawlers-read', weight: 9, publishedAt: 0.95 },
];

export const searchTerms: Weighted<string> = [
  [20, 'docker'],
  [16, 'import'],
  [14, 'backup'],
  [12, 'dark mode'],
  [11, 'api token'],
  [10, 'single sign-on'],
  [8, 'ldap'],
  [8, 'export pdf'],
  [7, 'permissions'],
  [6, 'templates'],
  [5, 'offline'],
  [4, 'mermaid'],
];

export const entrances: Readonly<Record<Way, Weighted<Destination>>> = {
  direct: [
    [58, '/'],
    [9, '/pricing'],
    [10, 'docs'],
    [8, 'post'],
    [5, '/download'],
    [4, '/changelog'],
    [3, '/features'],
    [3, '/signup'],
  ],
  search: [
    [22, '/'],
    [42, 'docs'],
    [24, 'post'],
    [5, '/features'],
    [5, '/pricing'],
    [2, '/compare/confluence'],
  ],
  social: [
    [24, '/'],
    [60, 'post'],
    [6, '/changelog'],
    [5, 'docs'],
    [5, '/features'],
  ],
  ai: [
    [16, '/'],
    [40, 'docs'],
    [14, 'post'],
    [13, '/pricing'],
    [12, '/compare/confluence'],
    [5, '/features'],
  ],
  referral: [
    [46, '/'],
    [20, 'docs'],
    [18, 'post'],
    [10, '/download'],
    [6, '/compare/confluence'],
  ],
  email: [
    [24, '/'],
    [34, 'post'],
    [22, '/changelog'],
    [20, '/pricing'],
  ],
  paid: [[1, '/features']],
  viral: [
    [88, viralPost],
    [12, '/'],
  ],
  member: [
    [62, '/login'],
    [16, 'docs'],
    [12, '/changelog'],
    [10, '/'],
  ],
};

/** Where people go from a page, or from any page of a group. */
export const continuations: Readonly<Record<string, Weighted<Destination>>> = {
  '/': [
    [24, '/pricing'],
    [24, '/features'],
    [16, 'docs'],
    [9, '/signup'],
    [8, '/download'],
    [7, '/blog'],
    [4, 'post'],
    [4, '/customers'],
    [4, '/about'],
  ],
  '/features': [
    [40, '/pricing'],
    [14, '/signup'],
    [14, 'docs'],
    [12, '/customers'],
    [10, '/download'],
    [10, '/'],
  ],
  '/pricing': [
    [38, '/signup'],
    [18, '/features'],
    [14, 'docs'],
    [12, '/contact'],
    [10, '/compare/confluence'],
    [8, '/'],
  ],
  '/compare/confluence': [
    [38, '/pricing'],
    [22, '/signup'],
    [22, '/features'],
    [18, '/docs/import/confluence'],
  ],
  '/customers': [
    [44, '/pricing'],
    [30, '/features'],
    [26, '/'],
  ],
  '/about': [
    [40, '/'],
    [30, '/contact'],
    [30, '/blog'],
  ],
  '/contact': [
    [50, '/'],
    [50, '/pricing'],
  ],
  '/signup': [
    [40, '/pricing'],
    [30, '/'],
    [30, 'docs'],
  ],
  '/welcome': [
    [60, '/docs/first-steps'],
    [22, '/docs/import'],
    [18, '/checkout'],
  ],
  '/checkout': [
    [60, '/pricing'],
    [40, '/account'],
  ],
  '/login': [
    [72, '/account'],
    [18, 'docs'],
    [10, '/changelog'],
  ],
  '/account': [
    [48, 'docs'],
    [22, '/changelog'],
    [14, '/account/team'],
    [10, '/account/billing'],
    [6, 'post'],
  ],
  '/account/team': [
    [60, '/account'],
    [40, 'docs'],
  ],
  '/account/billing': [
    [45, '/account'],
    [30, '/checkout'],
    [25, '/pricing'],
  ],
  '/download': [
    [62, '/docs/install'],
    [22, 'docs'],
    [16, '/'],
  ],
  '/changelog': [
    [40, 'docs'],
    [25, '/download'],
    [20, 'post'],
    [15, '/'],
  ],
  '/blog': [
    [80, 'post'],
    [10, '/'],
    [10, '/blog?page=2'],
  ],
  '/blog?page=2': [[1, 'post']],
  docs: [
    [66, 'docs'],
    [13, 'search'],
    [8, '/download'],
    [7, '/'],
    [6, '/pricing'],
  ],
  search: [
    [84, 'docs'],
    [16, 'search'],
  ],
  post: [
    [36, 'post'],
    [26, '/'],
    [13, '/blog'],
    [9, '/pricing'],
    [9, 'docs'],
    [7, '/signup'],
  ],
};
