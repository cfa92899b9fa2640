import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageView } from '../../../test/support/records.ts';
import { website } from '../test-intake.ts';
import { createIdentify } from './identify.ts';
import { createKeyedHash } from './keyed-hash.ts';
import type { Valid } from './validate.ts';
import { visitorOfClient } from './visitor-of-client.ts';

test('is the number that a record with this ClientId gets', () => {
  const identify = createIdentify({ get: () => undefined });
  for (const ClientId of ['4711', ' spaces ', '漢字 😀', '__proto__', '\0', 'x'.repeat(512)]) {
    for (const site of [website(), website({ id: 2 }), website({ clientIdKey: Buffer.alloc(32, 9) })]) {
      const body = pageView({ Identify: { ClientId } });
      const valid = { kind: 'page_view', body } as unknown as Valid;
      const place = { websiteId: site.id, month: '2026-03', reserved: 0, settled: 0, elsewhere: 0 };
      const identified = identify({ website: site, valid, receivedAtMs: 0, place });
      assert.ok(!('refused' in identified));
      assert.equal(visitorOfClient(createKeyedHash(), site, ClientId), identified.visitor.id);
    }
  }
});
