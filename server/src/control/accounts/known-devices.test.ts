import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox } from '../database/secret-box.ts';
import { createKnownDevices } from './known-devices.ts';

const devices = createKnownDevices(createSecretBox(Buffer.alloc(32, 7)));
const ada = { email: 'ada@example.com', passwordHash: '$argon2id$one' };

test('a proof is for one account and one password', () => {
  const device = devices.read(devices.prove({ ...ada, id: undefined }))!;
  assert.equal(devices.isFor(device, ' ADA@example.com'), true);
  assert.equal(devices.isFor(device, 'bob@example.com'), false);
  assert.equal(devices.isCurrent(device, ada.passwordHash), true);
  assert.equal(devices.isCurrent(device, '$argon2id$two'), false);
});

test('a device with its id stays the same, and a new one is another', () => {
  const first = devices.read(devices.prove({ ...ada, id: undefined }))!;
  const changed = { ...ada, passwordHash: '$argon2id$two' };
  assert.equal(devices.read(devices.prove({ ...changed, id: first.id }))!.id, first.id);
  assert.notEqual(devices.read(devices.prove({ ...ada, id: undefined }))!.id, first.id);
});

test('rejects a proof that was changed, cut off, or made with another key', () => {
  const proof = devices.prove({ ...ada, id: undefined });
  const others = createKnownDevices(createSecretBox(Buffer.alloc(32, 8)));
  const wrong = [undefined, '', 'x', proof.slice(0, -1), `${proof}0`, ` ${proof}`];
  for (let at = 0; at < proof.length; at++) {
    const other = proof[at] === 'a' ? 'b' : 'a';
    wrong.push(`${proof.slice(0, at)}${other}${proof.slice(at + 1)}`);
  }
  wrong.push(others.prove({ ...ada, id: undefined }));
  for (const text of wrong) assert.equal(devices.read(text), undefined, String(text));
});

test('contains neither the address nor the hash of the password', () => {
  const proof = devices.prove({ ...ada, id: undefined });
  for (const text of ['example', Buffer.from(ada.email).toString('base64url'), 'argon2id'])
    assert.ok(!proof.includes(text));
});
