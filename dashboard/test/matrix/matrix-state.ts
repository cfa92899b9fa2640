import type { Page } from 'playwright-core';
import type { StandInData } from '../stand-in/stand-in-data.ts';

/** What somebody does on a page, whatever its language. */
export type Hand = {
  page: Page;
  data: StandInData;
  /** Returns a text of the catalogues in the language of the page. */
  say(english: string): string;
  /** Clicks the button or link with an English text. */
  press(english: string): Promise<void>;
};

type Act = (hand: Hand) => Promise<unknown>;

/** A page that is pictured at every width, in both themes and both languages. */
export type MatrixState = {
  name: string;
  path: string;
  data: () => StandInData;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  act?: Act;
  /** What is pictured: the whole page if not given, or as much as fits the screen. */
  part?: string | 'screen';
  /** Something in it never finishes loading. */
  isUnfinished?: boolean;
  /** No script of ours runs in it. */
  isStatic?: boolean;
  /** What opens on top of it, opened again at each width. */
  overlays?: readonly MatrixOverlay[];
  /** What it turns into, one after the other. */
  next?: readonly MatrixStep[];
};

export type MatrixOverlay = {
  name: string;
  open: Act;
  /** Closes it. Presses Escape if not given. */
  close?: Act;
  /** Pictured instead of what opened. */
  part?: string | 'screen';
};

export type MatrixStep = { name: string; act: Act; part?: string | 'screen'; leave?: Act };

export const languages = ['en', 'de'] as const;
export type MatrixLanguage = (typeof languages)[number];

export const themes = ['light', 'dark'] as const;
export type MatrixTheme = (typeof themes)[number];

/** The widths, the usual one first, each with the height of such a screen. */
export const screens = [
  { width: 1280, height: 900 },
  { width: 2200, height: 1300 },
  { width: 768, height: 1024 },
  { width: 360, height: 740 },
] as const;
export type MatrixScreen = (typeof screens)[number];

/** A picture that was taken. */
export type MatrixShot = {
  state: string;
  file: string;
  screen: MatrixScreen;
  theme: MatrixTheme;
  language: MatrixLanguage;
  width: number;
  height: number;
};
