import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestLog } from '../../control/test-control.ts';
import { full, SystemFaultError } from '../../files/system-fault.ts';
import { noteFaults } from './note-faults.ts';

test('keeps the first fault of the machine, and logs everything else', () => {
  const { log, messages } = createTestLog();
  const noting = noteFaults(log);
  noting.log.error({ err: new Error('a bug') }, 'building days failed');
  assert.deepEqual([messages.length, noting.firstFault()], [1, undefined]);
  const fault = full('the store in /data');
  noting.log.error(
    { err: new Error('away', { cause: new SystemFaultError(fault) }) },
    'building days failed',
  );
  noting.log.error({ err: new SystemFaultError(full('/other')) }, 'building days failed');
  noting.log.warn({}, 'slow');
  assert.deepEqual([messages.length, noting.firstFault()], [2, fault]);
});
