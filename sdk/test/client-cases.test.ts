import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCases } from '../../clients/test/load-cases.ts';
import { loadLateCases } from '../../clients/test/load-late-cases.ts';
import { runCase } from './run-client-case.ts';
import { runLateCase } from './run-late-case.ts';

/** The fewest cases of each kind, so that none drops out unnoticed. */
const fewestCases = { page: 220, endpoint: 109 };
const fewestLateCases = 15;

for (const kind of ['page', 'endpoint'] as const) {
  const cases = loadCases(kind);

  test(`the SDK turns each ${kind} case into what every client has to make of it`, async () => {
    assert.ok(cases.length >= fewestCases[kind], `${cases.length} cases`);
    for (const { given, expected } of cases) {
      assert.deepEqual(await runCase(given), expected, given.title);
    }
  });
}

test('the SDK sends each attempt of a late case as every client has to', async () => {
  const cases = loadLateCases();
  assert.ok(cases.length >= fewestLateCases, `${cases.length} cases`);
  for (const { given, expected } of cases) assert.deepEqual(await runLateCase(given), expected, given.title);
});
