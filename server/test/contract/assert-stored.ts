import assert from 'node:assert/strict';
import type { ContractCase } from './load-cases.ts';

/** Fails if the row of an accepted case (by column name) has other values than the case expects. */
export function assertStored(
  { stored, storedNowhere }: ContractCase,
  row: Readonly<Record<string, unknown>>,
): void {
  for (const [column, expected] of Object.entries(stored)) {
    const actual = row[column];
    // A store may keep a boolean as 0 or 1.
    const isFlag = typeof expected === 'boolean' && (actual === 0 || actual === 1);
    assert.deepEqual(isFlag ? actual === 1 : actual, expected, `column ${column}`);
  }
  for (const [column, value] of Object.entries(row)) {
    for (const secret of storedNowhere) {
      assert.ok(!JSON.stringify(value ?? null).includes(secret), `expected no ${secret} in ${column}`);
    }
  }
}
