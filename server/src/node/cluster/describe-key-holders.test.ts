import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeKeyHolders } from './describe-key-holders.ts';

const self = (address: string) => ({ name: 'a', address });
const other = (address: string, isSilent = false) => ({
  name: 'b',
  address,
  seenAt: 0,
  leftAt: null,
  isSilent,
});
const whysOf = (...of: Parameters<typeof describeKeyHolders>) =>
  describeKeyHolders(...of).map(({ part, why }) => {
    assert.equal(part, 'nodes');
    return why;
  });

test('says nothing of nodes that answer', () => {
  assert.deepEqual(whysOf(self('10.0.0.1:1'), []), []);
  assert.deepEqual(whysOf(self('10.0.0.1:1'), [other('10.0.0.2:1')]), []);
  assert.deepEqual(whysOf(self('127.0.0.1:1'), [other('127.0.0.1:2'), other('[::1]:3')]), []);
});

test('names a node that does not answer, with what to do', () => {
  const [why, none] = whysOf(self('10.0.0.1:1'), [other('10.0.0.2:1', true)]);
  assert.equal(none, undefined);
  assert.match(why!, /^node b does not answer at 10\.0\.0\.2:1, .*firewall.*`trackside node retire b`$/);
  const [ofLocal] = whysOf(self('10.0.0.1:1'), [other('127.0.0.1:1', true)]);
  assert.match(ofLocal!, /set its TRACKSIDE_NODE_ADDRESS/);
});

test('says that others cannot reach this node at an address of its own machine', () => {
  for (const address of ['127.0.0.1:4000', '127.1.2.3:4000', '[::1]:4000', 'localhost:4000']) {
    const [why, none] = whysOf(self(address), [other('10.0.0.2:1')]);
    assert.equal(none, undefined);
    assert.ok(why!.includes(`at ${address} `) && why!.includes('set TRACKSIDE_NODE_ADDRESS'), why!);
  }
});
