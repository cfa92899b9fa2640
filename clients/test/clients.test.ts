import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeData } from '../build/make-data.ts';
import { drive } from './drive.ts';
import { startContract } from './keep-contract.ts';
import { languages, reasonNotToRun } from './languages.ts';
import { loadCases, type Outcome } from './load-cases.ts';
import { loadLateCases } from './load-late-cases.ts';
import { runWebsite } from './run-website.ts';

const tried = languages.map((language) => ({ language, reason: reasonNotToRun(language) }));
const cases = [...loadCases('page'), ...loadCases('endpoint')];
const lateCases = loadLateCases();

test('says which clients are not tested on this machine', (t) => {
  for (const { language, reason } of tried)
    t.diagnostic(reason === undefined ? `${language.name} is tried` : `not run: ${language.name}: ${reason}`);
  const names = tried.map(({ language }) => language.name);
  assert.equal(new Set(names).size, names.length);
});

for (const [path, text] of Object.entries(makeData())) {
  test(`${path} matches the SDK`, () => {
    const hint = `${path} is stale: run node_modules/.bin/node clients/build/write-data.ts`;
    assert.equal(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'), text, hint);
  });
}

test('clients in other languages', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-clients-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const here = tried.flatMap(({ language, reason }) => (reason === undefined ? [language] : []));
  if (here.length === 0) return;
  const keepContract = await startContract(t);

  for (const [turn, language] of here.entries()) {
    await t.test(language.name, async (one) => {
      const driver = language.prepare(folder);

      await one.test('turns each case into the same record as the SDK, through each adapter', async () => {
        const given = cases.map((each) => each.given);
        const byAdapter = await drive<Record<string, Outcome[]>>(driver, 'cases', given);
        assert.ok(Object.keys(byAdapter).length > 0);
        for (const [adapter, outcomes] of Object.entries(byAdapter)) {
          for (const [index, { given: each, expected }] of cases.entries())
            assert.deepEqual(
              withoutNulls(outcomes[index]!),
              withoutNulls(expected),
              `${adapter}: ${each.title}`,
            );
        }
        one.diagnostic(`${language.name}: ${cases.length} cases by ${Object.keys(byAdapter).join(', ')}`);
      });

      await one.test('sends each attempt of a late case like the SDK, byte for byte', async () => {
        if (language.hasLateTest) return;
        const known = lateCases.filter(({ isMonotonic }) => !isMonotonic || !language.isShortLived);
        const given = known.map((each) => each.given);
        const bodies = await drive<string[][]>(driver, 'late', given);
        for (const [index, { given: each, expected }] of known.entries())
          assert.deepEqual(bodies[index], expected, each.title);
      });

      await one.test('keeps the contract', (two) => keepContract(two, language, driver, turn));
      await one.test('runs a website', (two) => runWebsite(two, driver, language));
      await one.test('passes its own tests', () => language.runOwnTests(folder));
    });
  }
});

/** A client may leave out what is null in a record. */
function withoutNulls({ status, record }: Outcome): Outcome {
  const body = record && JSON.parse(JSON.stringify(record.body), (_name, value) => value ?? undefined);
  return { status, record: record && { path: record.path, body } };
}
