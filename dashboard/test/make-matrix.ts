/**
 * Pictures of every page and state at four widths, in both themes and both languages, with sheets to look at
 * them, and a list of what is wrong: what doesn't fit, what axe finds, errors. It fails if there is anything.
 * `npm run screenshots:matrix`, with a folder behind it; `-- --only users` takes the states with such a name,
 * `-- --from settings` those from one on.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildApp } from './build-app.ts';
import { analyticsStates } from './matrix/analytics-states.ts';
import { doorStates } from './matrix/door-states.ts';
import { readGerman } from './matrix/in-german.ts';
import { makeSheets } from './matrix/make-sheets.ts';
import { languages, type MatrixShot } from './matrix/matrix-state.ts';
import { qualityStates } from './matrix/quality-states.ts';
import { settingsStates } from './matrix/settings-states.ts';
import { takeShots } from './matrix/take-shots.ts';
import { openChromium } from './open-chromium.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true }, from: { type: 'string' } },
});
const folder = resolve(positionals[0] ?? mkdtempSync(join(tmpdir(), 'trackside-matrix-')));
mkdirSync(folder, { recursive: true });
const { only, from } = values;
const all = [...doorStates, ...settingsStates, ...qualityStates, ...analyticsStates];
const states = all
  .slice(from === undefined ? 0 : all.findIndex(({ name }) => name === from))
  .filter(({ name }) => only?.some((part) => name.includes(part)) ?? true);

const toGerman = await readGerman();
const app = await buildApp();
const browser = await openChromium({ isSeen: true });
const shots: MatrixShot[] = [];
const faults: string[] = [];
try {
  const seen = new Map<string, Set<string>>();
  const pages = await Promise.all(
    languages.map(async (language) => {
      const context = await browser.newContext({
        viewport: null,
        reducedMotion: 'reduce',
        locale: language === 'en' ? 'en-US' : 'de-DE',
        timezoneId: 'Europe/Berlin',
      });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const say = language === 'en' ? (english: string) => english : toGerman;
      return { page, language, say };
    }),
  );
  for (const state of states) {
    const taken = await Promise.all(
      pages.map((page) => takeShots(state, { ...page, app: app.folder, folder, seen })),
    );
    for (const one of taken) {
      shots.push(...one.shots);
      faults.push(...one.faults);
      for (const fault of one.faults) console.log(fault);
    }
  }
  const sheets = await makeSheets(browser, shots, folder);
  writeFileSync(join(folder, 'faults.txt'), faults.map((fault) => `${fault}\n`).join(''));
  console.log(`${shots.length} pictures on ${sheets} sheets in ${folder}, ${faults.length} faults`);
} finally {
  await browser.close();
  await app.remove();
}
if (faults.length > 0) process.exitCode = 1;
