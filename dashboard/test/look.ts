import type { CDPSession, Page } from 'playwright-core';

/** On which screen a page is looked at, in which colors, and for what. */
export type Look = {
  name: string;
  colorScheme: 'light' | 'dark';
  width: number;
  height: number;
  /** Whether it is touched, and fits the width of its page to that of the screen. */
  isPhone: boolean;
  /** Of axe; all unless given. */
  rules?: readonly string[];
  /** Names of states; all unless given. */
  states?: ReadonlySet<string>;
};

/** Turns a window to another look. A page that is open in it is not loaded again. */
export async function showLook(page: Page, devTools: CDPSession, look: Look): Promise<void> {
  const { width, height, isPhone, colorScheme } = look;
  const screen = { width, height, deviceScaleFactor: 1, mobile: isPhone };
  await devTools.send('Emulation.setDeviceMetricsOverride', screen);
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone, maxTouchPoints: 1 });
  await page.emulateMedia({ colorScheme });
  // Charts measure the page, and are drawn again in the frame after.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
