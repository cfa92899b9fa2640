import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { findFaults } from '@trackside/contract/tracking/find-faults.ts';
import { createVisitorDescriber } from './describe-visitor.ts';
import type { HandlerOptions } from './handler-options.ts';
import { makeIncoming } from './test-incoming.ts';

const visit = {
  ip: '192.0.2.7',
  language: 'en',
  page: 'https://shop.example/',
  referrer: null,
  width: 0,
  height: 0,
};

function start(options: Pick<HandlerOptions<string>, 'location' | 'clientId'>) {
  const faults: Error[] = [];
  const reporter = {
    report: (fault: unknown) => void faults.push(fault as Error),
    reportNowAndThen: (_kind: string, makeFault: () => Error) => void faults.push(makeFault()),
  };
  const describeVisitor = createVisitorDescriber(options, reporter);
  const headers = { 'user-agent': 'x'.repeat(3000) };
  return { faults, describe: () => describeVisitor(visit, makeIncoming({ headers }), 'original') };
}

describe('a visitor', () => {
  test('is described so that the interface accepts it, with a shortened user agent', async () => {
    const { describe, faults } = start({});
    const metrics = await describe();
    assert.equal(findFaults(bodyRules.pageView, { Metrics: metrics }), undefined);
    assert.equal(metrics.Browser.UserAgent.length, 2048);
    assert.deepEqual(faults, []);
  });

  test('is where the first source that knows a country says', async () => {
    const asked: string[] = [];
    const source = (name: string, found: { CountryCode?: string; City?: string } | undefined) => () => {
      asked.push(name);
      return found;
    };
    const location = [
      source('none', undefined),
      source('unknown', { CountryCode: 'XX' }),
      source('AT', { CountryCode: 'AT', City: 'Graz' }),
      source('not asked', { CountryCode: 'DE' }),
    ];
    const { describe } = start({ location });
    assert.equal((await describe()).Location.City, 'Graz');
    assert.deepEqual(asked, ['none', 'unknown', 'AT']);
  });

  test('keeps what the first source knows if none knows a country', async () => {
    const { describe } = start({ location: [() => ({ Timezone: 'Europe/Vienna' }), () => undefined] });
    assert.equal((await describe()).Location.Timezone, 'Europe/Vienna');
  });

  test('is described without what fails, and the fault is reported with its cause', async () => {
    const cause = new Error('no database');
    const location = [() => Promise.reject(cause), () => ({ CountryCode: 'AT' })];
    const { describe, faults } = start({
      location,
      clientId: () => {
        throw cause;
      },
    });
    const metrics = await describe();
    assert.equal(metrics.Location.CountryCode, 'AT');
    assert.equal(metrics.Identify.ClientId, null);
    assert.deepEqual(faults.map(({ message }) => message.split(':')[0]).sort(), ['clientId', 'location']);
    assert.ok(faults.every((fault) => fault.cause === cause));
  });

  test('is described without what hangs', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const hang = () => new Promise<never>(() => {});
    const { describe, faults } = start({ location: hang, clientId: hang });
    const metrics = describe();
    await new Promise(setImmediate);
    t.mock.timers.tick(2000);
    assert.equal((await metrics).Identify.ClientId, null);
    assert.match(String(faults[0]?.cause), /expected a result within 2000 ms/);
    assert.equal(faults.length, 2);
  });

  for (const [given, kept, isFault] of [
    ['original', 'original', false],
    ['', null, false],
    [undefined, null, false],
    [17, '17', false],
    ['x'.repeat(512), 'x'.repeat(512), false],
    ['x'.repeat(513), null, true],
    [{}, null, true],
  ] as const) {
    test(`has the ClientId ${String(kept).slice(0, 20)} for ${String(given).slice(0, 20)} of ${typeof given}`, async () => {
      const { describe, faults } = start({ clientId: () => given as string });
      assert.equal((await describe()).Identify.ClientId, kept);
      assert.equal(faults.length, isFault ? 1 : 0);
    });
  }
});
