import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainListenFault } from './explain-listen-fault.ts';

const lookUp = (hostname: string) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname,
  });

test('says that the host has no address, and what to write instead', () => {
  const fault = explainListenFault(lookUp('nosuch.invalid'), 'nosuch.invalid', 8080);
  assert.match(String(fault), /--host: cannot find the address of "nosuch\.invalid".*such as 127\.0\.0\.1/);
});

test('leaves the look-up of another name as it is', () => {
  const fault = lookUp('database.invalid');
  assert.equal(explainListenFault(fault, '127.0.0.1', 8080), fault);
});
