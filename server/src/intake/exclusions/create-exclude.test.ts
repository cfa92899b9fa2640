import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import { event, pageView } from '../../../test/support/records.ts';
import type { Valid } from '../steps/validate.ts';
import { website } from '../test-intake.ts';
import { createExclude } from './create-exclude.ts';

const exclude = createExclude({ cacheEntries: 100 });

type Sent = { ip?: string; agent?: string; page?: string; name?: string };

function valid({ ip = '203.0.113.7', agent = 'Mozilla/5.0', page = 'https://a.test/', name }: Sent): Valid {
  const changes = { Browser: { IP: ip, UserAgent: agent }, Page: { Absolute: page } };
  return (
    name === undefined
      ? { kind: 'page_view', body: pageView(changes) }
      : { kind: 'event', body: event(name, [], changes) }
  ) as Valid;
}

const cases: [rule: Exclusion, matching: Sent[], others: Sent[]][] = [
  [
    { kind: 'network', value: '203.0.113.0/24' },
    [
      { ip: '203.0.113.0' },
      { ip: '203.0.113.255' },
      { ip: '::ffff:203.0.113.9' },
      { ip: '::FFFF:cb00:7109' },
    ],
    [{ ip: '203.0.114.0' }, { ip: '2001:db8::1' }, { ip: '::cb00:7109' }],
  ],
  [{ kind: 'network', value: '203.0.113.7' }, [{ ip: '203.0.113.7' }], [{ ip: '203.0.113.8' }]],
  [
    { kind: 'network', value: '2001:db8:4000::/34' },
    [{ ip: '2001:db8:4000::1' }, { ip: '2001:DB8:7fff:ffff::' }],
    [{ ip: '2001:db8:8000::' }, { ip: '203.0.113.7' }],
  ],
  [
    { kind: 'host', value: 'staging.a.test' },
    [{ page: 'https://staging.a.test/' }, { page: 'http://WWW.Staging.a.test.:8443/x' }],
    [{ page: 'https://a.test/' }, { page: 'https://my.staging.a.test/' }],
  ],
  [
    { kind: 'host', value: '*.a.test' },
    [{ page: 'https://staging.a.test/' }, { page: 'https://x.y.a.test/' }],
    [{ page: 'https://a.test/' }, { page: 'https://evila.test/' }],
  ],
  [
    { kind: 'own-host', value: 'a.test' },
    [{ page: 'https://evil.test/' }, { page: 'https://sub.a.test/' }, { page: 'https://a.test.evil.test/' }],
    [{ page: 'https://a.test/' }, { page: 'https://www.a.test:8080/x' }],
  ],
  [
    { kind: 'path', value: '/admin/*' },
    [{ page: 'https://a.test/admin/' }, { page: 'https://a.test/admin/users?x' }],
    [{ page: 'https://a.test/admin' }, { page: 'https://a.test/x/admin/' }],
  ],
  [
    { kind: 'path', value: '/café' },
    [{ page: 'https://a.test/caf%c3%a9' }, { page: 'https://a.test/café#x' }],
    [{ page: 'https://a.test/café/' }, { page: 'https://a.test/cafe' }],
  ],
  [
    { kind: 'query', value: 'Preview' },
    [{ page: 'https://a.test/?a=1&preview' }, { page: 'https://a.test/?%70review=no' }],
    [
      { page: 'https://a.test/?previews=1' },
      { page: 'https://a.test/preview' },
      { page: 'https://a.test/#?preview' },
    ],
  ],
  [{ kind: 'event', value: 'debug*' }, [{ name: 'debug' }, { name: 'debug-x' }], [{ name: 'a debug' }, {}]],
  [{ kind: 'event', value: 'Ping' }, [{ name: 'Ping' }], [{ name: 'ping' }, { name: 'Ping2' }]],
  [
    { kind: 'user-agent', value: 'HeadlessChrome' },
    [{ agent: 'Mozilla/5.0 headlesschrome/1' }],
    [{ agent: 'Chrome' }, { agent: '' }],
  ],
];

for (const [rule, matching, others] of cases)
  test(`${rule.kind} ${rule.value} excludes what it names, and nothing else`, () => {
    const own = website({ exclusions: [rule] });
    for (const sent of matching)
      assert.equal(exclude(own, valid(sent))?.excluded.kind, rule.kind, JSON.stringify(sent));
    for (const sent of others) assert.equal(exclude(own, valid(sent)), undefined, JSON.stringify(sent));
  });

test('paths are compared as the website counts its pages', () => {
  const exclusions: Exclusion[] = [{ kind: 'path', value: '/About' }];
  const page = 'https://a.test/about/';
  assert.equal(exclude(website({ exclusions }), valid({ page })), undefined);
  const merging = website({ exclusions, ignoreCase: true, ignoreTrailingSlash: true });
  assert.ok(exclude(merging, valid({ page })));
});

test('a website without rules excludes nothing, whatever others exclude', () => {
  exclude(website({ id: 2, exclusions: [{ kind: 'path', value: '/*' }] }), valid({}));
  assert.equal(exclude(website(), valid({})), undefined);
});

test('no message tells a network, which can be the address of one person', () => {
  const own = website({ exclusions: [{ kind: 'network', value: '203.0.113.7' }] });
  const { message } = exclude(own, valid({}))!;
  assert.match(message, /^Excluded: the IP address is in a network/);
  assert.doesNotMatch(message, /203/);
});

test('a forged host is named', () => {
  const own = website({ exclusions: [{ kind: 'own-host', value: '*.a.test' }] });
  const { message } = exclude(own, valid({ page: 'https://xn--mller-kva.example/x' }))!;
  assert.equal(message, "Excluded: müller.example is not one of the website's own hosts");
});
