import type { Page } from 'playwright-core';
import type { StandInData } from './stand-in/stand-in-data.ts';

/** A page in a state that somebody may see. */
export type PageState = {
  name: string;
  path: string;
  data: () => StandInData;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Another state shows the same elements, and another test covers what is special about this one. */
  isLong?: boolean;
  /** Runs once the page is open. */
  act?: (page: Page, data: StandInData) => Promise<unknown>;
  /** The server refuses something, which browsers report on the console. */
  hasRefusals?: boolean;
  /** No script of ours changes it once it has loaded. */
  isStatic?: boolean;
  /**
   * What opens over it. Each is closed by Escape before the next, so the page is loaded and examined once for
   * all.
   */
  overlays?: readonly Overlay[];
  /** What it turns into, one after the other. Each is examined as a separate page, without another load. */
  next?: readonly NextState[];
};

export type NextState = {
  name: string;
  act: (page: Page, data: StandInData) => Promise<unknown>;
  hasRefusals?: boolean;
  /** Makes way for the next one. */
  leave?: (page: Page) => Promise<unknown>;
};

export type Overlay = {
  name: string;
  open: (page: Page) => Promise<unknown>;
  /** Another one, which is always examined, has all of its parts. */
  isLong?: boolean;
};
