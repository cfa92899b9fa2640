import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApi } from './create-api.ts';
import { ok, unreachable } from './fault.ts';

/** An answer of which only the first bytes arrive. */
function cutOff(): Response {
  let isBegun = false;
  const body = new ReadableStream({
    pull(controller) {
      if (isBegun) return controller.error(new TypeError('network error'));
      isBegun = true;
      controller.enqueue(new TextEncoder().encode('{"a":'));
    },
  });
  return new Response(body);
}

const lost = { isOk: false, fault: unreachable };

test('an answer that breaks off is a lost connection', async () => {
  const api = createApi(async () => ok(cutOff()));
  assert.deepEqual(await api.websites(), lost);
  assert.deepEqual(await api.exportPerson(1, 'ada'), lost);
});

test('an aborted request throws, even if part of its answer has arrived', async () => {
  const api = createApi(async () => ok(cutOff()));
  await assert.rejects(api.websites(AbortSignal.abort()));
});
