import type { Page } from 'playwright-core';
import type { StandInData } from './stand-in/stand-in-data.ts';

/** A page as somebody may see it. */
export type PageState = {
  name: string;
  path: string;
  data: () => StandInData;
  /** Before it is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Another state shows the same elements, and another test what is special about it. */
  isLong?: boolean;
  /** What is done on it. */
  act?: (page: Page, data: StandInData) => Promise<unknown>;
  /** The server refuses something in it, which browsers write to the console. */
  hasRefusals?: boolean;
  /** No script of ours changes it once it is loaded. */
  isStatic?: boolean;
  /**
   * What opens over it, each closed by Escape before the next: the page is loaded and looked at once for all.
   */
  overlays?: readonly Overlay[];
  /** What it turns into, one after the other: each is looked at as a page of its own, without another load. */
  next?: readonly NextState[];
};

export type NextState = {
  name: string;
  act: (page: Page, data: StandInData) => Promise<unknown>;
  hasRefusals?: boolean;
  /** What makes way for the one after it. */
  leave?: (page: Page) => Promise<unknown>;
};

export type Overlay = {
  name: string;
  open: (page: Page) => Promise<unknown>;
  /** It is made of what others are made of, so that one look at it is enough. */
  isOfCommonParts?: boolean;
  /** Another one that is always looked at has all of its parts. */
  isLong?: boolean;
};
