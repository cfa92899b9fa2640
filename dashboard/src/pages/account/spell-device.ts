import type { FormatWords } from '#format/format-words.ts';

/** Names a device in the language of the page. The server says "Firefox on Linux". */
export function spellDevice(device: string | null, { request }: FormatWords): string | undefined {
  if (device === null) return undefined;
  const [browser, system] = device.split(' on ');
  return browser === undefined || system === undefined ? device : request.browserOn(browser, system);
}
