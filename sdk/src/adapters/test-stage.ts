import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import type { Host, HostOptions, OpenHost } from './test-hosts.ts';
import { send, type TestRequest } from './test-request.ts';
import { createTestTracker } from './test-tracker.ts';

/**
 * Opens a host for each test of a suite, with a tracker that records, and closes it. Faults fail the test
 * that they happen in.
 */
export function createStage(host: Host) {
  let open: OpenHost | undefined;
  const faults: unknown[] = [];

  afterEach(async () => {
    await open?.close();
    open = undefined;
    assert.deepEqual(faults.splice(0), []);
  });

  return {
    /** The faults that onError received. A test that expects some removes them. */
    faults,
    async start(options: Partial<HostOptions> = {}) {
      const { trackside, records, until } = createTestTracker();
      open = await host.open({ trackside, onError: (fault) => faults.push(fault), ...options });
      const { port } = open;
      return { records, until, port, send: (request: TestRequest) => send(port, request) };
    },
  };
}
