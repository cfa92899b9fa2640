import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { isLongForm } from '../../../server/test/support/long-form.ts';
import { fullData, type StandInData } from '../stand-in/stand-in-data.ts';
import type { Open } from './create-opener.ts';

/**
 * Something that goes wrong on the server: what the user does, and how to tell that the page has handled it.
 */
type Trouble = {
  name: string;
  path: string;
  prepare?: (data: StandInData) => void;
  act?: (page: Page, data: StandInData) => Promise<unknown>;
  until: string;
};

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const hasLoaded = (page: Page) => page.waitForFunction(() => document.querySelector('.skeleton') === null);
const site = (data: StandInData) => data.websites[0]!;

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('owner@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a wrong one');
  await button(page, 'Sign in').click();
}

async function rename(page: Page, to: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(to);
  await button(page, 'Save changes').click();
}

const troubles: Trouble[] = [
  {
    name: 'a wrong password',
    path: '/sign-in',
    prepare: (data) => {
      data.session = undefined;
    },
    act: signIn,
    until: '[role=alert] .banner',
  },
  {
    name: 'too many attempts',
    path: '/sign-in',
    prepare: (data) => {
      data.session = undefined;
      data.throttleSeconds = 50;
    },
    act: signIn,
    until: '.banner b',
  },
  {
    name: 'a setup link that was used',
    path: '/setup#used',
    prepare: (data) => {
      data.session = undefined;
      data.isSetupNeeded = true;
    },
    act: async (page) => {
      await page.getByLabel('Email').fill('owner@example.com');
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await button(page, 'Create account').click();
    },
    until: '[role=alert] code',
  },
  {
    name: 'a domain that is taken',
    path: '/websites/new',
    act: async (page) => {
      await page.getByLabel('Domain').fill('taken.example.com');
      await button(page, 'Add website').click();
    },
    until: '[name=domain][aria-invalid=true]:focus',
  },
  {
    name: 'a current password that is not right',
    path: '/account',
    act: async (page) => {
      await page.getByLabel('Current password', { exact: true }).fill('a wrong one');
      await page.getByLabel('New password', { exact: true }).fill('correct horse battery');
      await button(page, 'Change password').click();
    },
    until: '[name=currentPassword][aria-invalid=true]:focus',
  },
  {
    name: 'a change of the same by somebody else',
    path: '/websites/1/settings',
    act: async (page, data) => {
      Object.assign(site(data), { version: 7, name: 'Theirs' });
      await rename(page, 'Mine');
    },
    until: 'text=Save mine',
  },
  {
    name: 'a change of something else by somebody else',
    path: '/websites/1/settings',
    act: async (page, data) => {
      Object.assign(site(data), { version: 7, timezone: 'Asia/Tokyo' });
      await rename(page, 'Mine');
      await page.waitForFunction(() => document.title === 'Settings · Mine · Trackside');
    },
    until: 'text=Website saved.',
  },
  {
    name: 'a session that has ended',
    path: '/websites/1/settings',
    act: async (page, data) => {
      data.session = undefined;
      await rename(page, 'Mine');
    },
    until: 'dialog [name=password]:focus',
  },
  { name: 'a website that is not there', path: '/websites/99/settings', until: '.empty h2, .empty h1' },
  { name: 'a public link that was taken back', path: '/share/AAAAAAAAAAAAAAAAAAAAAA', until: 'main h1' },
  {
    name: 'an engine that is away',
    path: '/websites',
    prepare: (data) => {
      data.isEngineAway = true;
    },
    until: 'text=Statistics are starting up',
  },
];

/**
 * What is visible on a page and what it would do: its address, its elements, and their text without the
 * server's messages. Numbers are left out, because some of them count seconds.
 */
function lookAt(page: Page, said: readonly string[]): Promise<string[]> {
  return page.evaluate((messages) => {
    const without = (text: string) => (messages.includes(text) ? '…' : text);
    const ownText = (element: Element) =>
      [...element.childNodes]
        .map((node) => (node.nodeType === Node.TEXT_NODE ? without(node.nodeValue ?? '') : ''))
        .join('');
    const names = ['class', 'role', 'name', 'href', 'aria-invalid', 'disabled', 'open'];
    const lines = [...document.body.querySelectorAll('*')].map((element) => {
      const told = names.map((name) => element.getAttribute(name) ?? '');
      const isFocused = element === document.activeElement ? 'focused' : '';
      return [element.tagName, ...told, isFocused, ownText(element)].join(' ').replace(/\d+/g, '0');
    });
    return [location.pathname + location.search + location.hash, document.title, ...lines];
  }, said);
}

/** The messages of the settings API are for people: a page does the same whatever they say. */
export function testOtherWords(open: Open): void {
  const tried = troubles.filter((_, at) => isLongForm || at % 4 === 0);
  for (const { name, path, prepare, act, until } of tried) {
    test(`${name} is handled in the same way, whatever the server says about it`, async (t) => {
      const endWith = async (word: (message: string) => string) => {
        const said: string[] = [];
        const data: StandInData = {
          ...fullData('admin'),
          say: (message) => {
            // The server's own words are left out too: for some faults, the page says the same in its own.
            said.push(message, word(message));
            return said.at(-1)!;
          },
        };
        prepare?.(data);
        const { page } = await open(t, path, data);
        // Waits until everything has loaded, so that the two pages don't differ by what is still missing.
        if (act !== undefined) await hasLoaded(page);
        await act?.(page, data);
        await page.locator(until).first().waitFor();
        if (act === undefined) await hasLoaded(page);
        assert.ok(said.length > 0, 'expected the server to have said something');
        return await lookAt(page, said);
      };
      const inOthers = await endWith((message) => message.replace(/[\p{L}\p{N}]/gu, 'ж'));
      // With the server's own words, most of these are also in `pages.ts`.
      if (isLongForm) assert.deepEqual(inOthers, await endWith((message) => message));
    });
  }
}
