import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClickHouseError } from '@clickhouse/client';
import { readSystemFault } from '../files/system-fault.ts';
import { withoutValues } from './without-values.ts';

test('says in one line what to do about a full disk, without the statement', () => {
  const answered = new ClickHouseError({ message: 'Cannot reserve', code: '243', type: 'NOT_ENOUGH_SPACE' });
  const fault = withoutValues(answered, 'insert into open_visits (day) values', 'the store in /data');
  assert.ok(fault instanceof ClickHouseError);
  assert.deepEqual([fault.code, fault.type], ['243', 'NOT_ENOUGH_SPACE']);
  assert.match(fault.message, /^The disk is full: the store in \/data cannot be written.*[Ff]ree up space/);
  assert.equal(readSystemFault(fault)?.kind, 'full', 'a command prints it without a stack');
});

test('shows the statement of another fault, without what the store quotes', () => {
  const answered = new ClickHouseError({ message: 'got "secret"', code: '62', type: 'SYNTAX_ERROR' });
  const { message } = withoutValues(answered, 'select\n  1', 'the store in /data') as Error;
  assert.equal(message, 'the store answered SYNTAX_ERROR (code 62) to: select 1');
});
