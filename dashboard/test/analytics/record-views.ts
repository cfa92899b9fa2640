import type { Page } from 'playwright-core';

/** What a page showed at one moment. Numbers that haven't loaded, or are dimmed, are empty. */
export type SeenView = { about: string; visitors: string; countries: string };

/** Looks at a page after each of its changes. Returns a function that returns everything seen so far. */
export async function recordViews(page: Page): Promise<() => Promise<SeenView[]>> {
  await page.evaluate(() => {
    const seen = new Map<string, object>();
    const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? '';
    const textsOf = (selector: string) =>
      [...document.querySelectorAll(selector)].map((element) => element.textContent ?? '');
    const look = () => {
      const label = textOf('.range [aria-haspopup=menu]').replace('Period: ', '');
      const names = textsOf('.panel:has(.map) .bar-list[aria-busy=false] .bar-label');
      const counts = textsOf('.panel:has(.map) .bar-list[aria-busy=false] .bar-value');
      const view = {
        about: [label, ...textsOf('.chip-text')].join(', '),
        visitors: textOf('.overview[aria-busy=false] .stat-value'),
        countries: names.map((name, index) => `${name} ${counts[index]}`).join(', '),
      };
      seen.set(JSON.stringify(view), view);
    };
    // Between two frames a page may be half changed, which nobody sees.
    let isAsked = false;
    const lookInNextFrame = () => {
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        look();
      });
    };
    lookInNextFrame();
    const changes = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(lookInNextFrame).observe(document.body, changes);
    Object.assign(window, { seenViews: () => [...seen.values()] });
  });
  return async () =>
    await page.evaluate(() => (window as unknown as { seenViews: () => SeenView[] }).seenViews());
}
