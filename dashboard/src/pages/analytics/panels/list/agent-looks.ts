import { findLook, type KnownLooks, type Look } from './look.ts';

export const browserLooks: KnownLooks = {
  Brave: ['B', '#e4491b', 'brave'],
  Chrome: ['C', '#3b78e7', 'googlechrome'],
  Chromium: ['C', '#4a6fa5', 'googlechrome'],
  DuckDuckGo: ['D', '#de5833', 'duckduckgo'],
  Edge: ['e', '#0c7cba'],
  Firefox: ['F', '#d9531a', 'firefoxbrowser'],
  'Firefox Focus': ['F', '#9a3fb5', 'firefoxbrowser'],
  'Google app': ['G', '#4285f4', 'google'],
  'Internet Explorer': ['e', '#1b6fb8'],
  Opera: ['O', '#e0162b', 'opera'],
  Safari: ['S', '#1473e6', 'safari'],
  'Samsung Internet': ['S', '#5a4fb8'],
  'UC Browser': ['U', '#d9731a'],
  Vivaldi: ['V', '#c9302c'],
  'Yandex Browser': ['Я', '#e0321c'],
};

export const systemLooks: KnownLooks = {
  Android: ['A', '#2c8a57'],
  ChromeOS: ['C', '#3b78e7', 'googlechrome'],
  iOS: ['i', '#4a4f55', 'apple'],
  Linux: ['L', '#3a3a3a', 'linux'],
  macOS: ['m', '#5d646c', 'apple'],
  Windows: ['W', '#0b6fb8'],
};

/** The look of a browser, with or without its version. Undefined for one that is not well known. */
export const lookOfBrowser = (name: string): Look | undefined => findLook(browserLooks, withoutVersion(name));

export const lookOfSystem = (name: string): Look | undefined => findLook(systemLooks, withoutVersion(name));

const withoutVersion = (name: string) => name.replace(/ [\d.]+$/, '');
