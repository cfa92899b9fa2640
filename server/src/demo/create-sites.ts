import { createChoice, type Weighted } from './create-choice.ts';
import type { Random } from './create-random.ts';
import {
  continuations,
  type Destination,
  documentation,
  entrances,
  posts,
  searchTerms,
  viralPost,
  type Way,
} from './demo-pages.ts';

export type Page = {
  /** Path and query, as in a link. */
  address: string;
  /** Decides which pages may follow. */
  group: string;
  /** The search term, on a page of search results. */
  term?: string;
};

/**
 * The demo's website on one day. Posts exist from the day they were published, and are read most while they
 * are new.
 */
export type Site = {
  enter(way: Way, random: Random): Page;
  goOn(page: Page, random: Random): Page;
  open(destination: Destination, random: Random): Page;
};

/** The number of days after which the rush to a new post has fallen to about a third. */
const newsDays = 5;

/** Creates the website of each day. Choices that do not depend on the day are created once for all days. */
export function createSites(options: { days: number; viralIndex: number }): (dayIndex: number) => Site {
  const { days, viralIndex } = options;
  const chooseDocumentation = createChoice(documentation);
  const chooseTerm = createChoice(searchTerms);
  const chooseEntrance = mapValues(entrances, (weighted) => createChoice(weighted));
  const chooseContinuation = new Map(
    Object.entries(continuations).map(([group, weighted]) => [group, createChoice(weighted)]),
  );
  const published = [
    ...posts.map((post) => ({ ...post, dayIndex: Math.round(post.publishedAt * days) })),
    { path: viralPost, weight: 12, dayIndex: viralIndex },
  ];

  return (dayIndex) => {
    const weighted: Weighted<string> = published
      .filter((post) => post.dayIndex <= dayIndex)
      .map((post) => [post.weight * (0.5 + 4 * Math.exp((post.dayIndex - dayIndex) / newsDays)), post.path]);
    const choosePost = createChoice(weighted);

    function open(destination: Destination, random: Random): Page {
      if (destination === 'docs') return { address: chooseDocumentation(random), group: 'docs' };
      if (destination === 'post') return { address: choosePost(random), group: 'post' };
      if (destination === 'search') {
        const term = chooseTerm(random);
        return { address: `/docs/search?q=${encodeURIComponent(term)}`, group: 'search', term };
      }
      return { address: destination, group: groupOf(destination) };
    }

    return {
      open,
      enter: (way, random) => open(chooseEntrance[way](random), random),
      goOn(page, random) {
        // Nobody follows a link to the page that they are on.
        for (let attempt = 0; attempt < 3; attempt += 1) {
          const next = open(chooseContinuation.get(page.group)!(random), random);
          if (next.address !== page.address) return next;
        }
        return open('/', random);
      },
    };
  };
}

function groupOf(path: string): string {
  if (path.startsWith('/docs/')) return 'docs';
  return path.startsWith('/blog/') ? 'post' : path;
}

function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  change: (value: From) => To,
): Record<Key, To> {
  const entries = Object.entries<From>(record).map(([key, value]) => [key, change(value)]);
  return Object.fromEntries(entries) as Record<Key, To>;
}
