import type { Website } from '#api/shapes.ts';

export const sortings = ['traffic', 'name', 'added'] as const;
export type Sorting = (typeof sortings)[number];

export const isSorting = (text: unknown): text is Sorting => sortings.some((one) => one === text);

/** The websites whose name or domain has every word of a search, in the order that was asked for. */
export function arrangeWebsites(
  websites: readonly Website[],
  { search, sorting, locale }: { search: string; sorting: Sorting; locale: string },
): Website[] {
  const words = search.toLocaleLowerCase(locale).split(/\s+/).filter(Boolean);
  const found = websites.filter(({ name, domain, shownDomain }) => {
    const text = `${name} ${domain} ${shownDomain}`.toLocaleLowerCase(locale);
    return words.every((word) => text.includes(word));
  });
  if (sorting === 'added') return found;
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const byName = (a: Website, b: Website) => compare(a.name, b.name);
  // Records of this month, which the list has for every website.
  return found.sort(sorting === 'name' ? byName : (a, b) => b.usage.used - a.usage.used || byName(a, b));
}
