import type { CDPSession, Page } from 'playwright-core';

/** The screen and the colors in which a page is examined, and what for. */
export type Look = {
  name: string;
  colorScheme: 'light' | 'dark';
  width: number;
  height: number;
  /** Whether it has a touch screen, and fits the page to the width of the screen. */
  isPhone: boolean;
  /** The rules of axe. All of them if not given. */
  rules?: readonly string[];
  /** The names of states. All of them if not given. */
  states?: ReadonlySet<string>;
};

/** Switches a window to another look. Its page is not loaded again. */
export async function showLook(page: Page, devTools: CDPSession, look: Look): Promise<void> {
  const { width, height, isPhone, colorScheme } = look;
  const screen = { width, height, deviceScaleFactor: 1, mobile: isPhone };
  await devTools.send('Emulation.setDeviceMetricsOverride', screen);
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone, maxTouchPoints: 1 });
  await page.emulateMedia({ colorScheme });
  // Charts measure the page, and are redrawn in the next frame.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
