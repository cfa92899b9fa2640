import { trackingLengths } from '@trackside/contract/tracking/lengths.ts';
import { type AppClient, createAppClient } from '../support/app-client.ts';
import { event, pageView } from '../support/records.ts';
import { samplePassword as password, routeSamples } from '../support/route-samples.ts';
import type { Target } from './fuzz-cases.ts';

const span = { from: '2026-11-10', to: '2026-11-16' };
const filters = [
  { dimension: 'country', is: 'DE' },
  { dimension: 'parameterValue', of: 'plan', anyOf: ['pro', 'team'] },
  { dimension: 'page', contains: '/' },
  { dimension: 'browser', isNot: 'Firefox' },
];

/** Questions of every kind, which together have every member. */
const questions = (segment: number): [kind: string, question: object][] => [
  [
    'query',
    {
      period: '7d',
      metrics: ['visitors', 'bounceRate'],
      dimensions: ['page', { dimension: 'parameterValue', of: 'plan' }],
      filters,
      segment,
      compare: 'previousPeriod',
      order: [{ by: 'visitors', descending: true }, { by: 'dimension' }],
      limit: 2,
      offset: 1,
    },
  ],
  [
    'query',
    {
      period: span,
      interval: 'day',
      metrics: ['conversions'],
      goal: { page: '/a*' },
      compare: { from: '2026-11-01', to: '2026-11-07', soFar: true },
    },
  ],
  ['query', { period: { lastMinutes: 30 }, goal: { event: 'Signup' }, metrics: ['conversionRate'] }],
  ['live', {}],
  ['bots', { period: '7d', dimensions: ['bot'], bot: 'GPTBot', page: '/', limit: 1, offset: 0 }],
  [
    'funnel',
    {
      period: '7d',
      filters,
      segment,
      steps: [{ page: '/pricing*' }, { event: 'Purchase', parameter: { name: 'plan', value: 'team' } }],
      within: { days: 7 },
    },
  ],
  ['retention', { period: '28d', filters, segment }],
  ['paths', { period: '7d', filters, segment, page: '/pricing', steps: 1, limit: 1 }],
  ['goals', { period: '7d', filters, segment, interval: 'week', compare: 'previousPeriod' }],
  ['batch', { questions: [{ kind: 'query', question: { period: '7d', filters } }, { kind: 'live' }] }],
];

/** Not fuzzed, because they would end the session, or let the attempts to sign in run out, or take long. */
const leftOut =
  /^(POST \/api\/(setup|session)|(POST|DELETE) .*\/demo|POST .*\/key|.* \/api\/session\/password|DELETE .*|POST .*person\/.*|POST .*\/test-view)$/;

/**
 * Prepares a server, and returns what is valid to send: records and questions about one website, and forms
 * about another one, whose settings change all the time.
 */
export async function openFuzzTargets(options: {
  origin: string;
  email: string;
}): Promise<{ targets: Target[]; websiteId: number }> {
  const { origin, email } = options;
  const admin = createAppClient(() => origin);
  const make = askWith(admin);
  await make('POST', '/api/session', { email, password });
  const website = async (domain: string) =>
    (await make('POST', '/api/websites', { domain, timezone: 'Europe/Berlin', contingent: null }))
      .id as number;
  const [websiteId, other] = [await website('fuzz.test'), await website('settings.fuzz.test')];
  const { apiKey } = await make('GET', `/api/websites/${websiteId}/key`);
  const { token } = await make('POST', `/api/websites/${websiteId}/tokens`, { name: 'fuzz' });
  const segment = await make('POST', `/api/websites/${websiteId}/segments`, {
    name: 'fuzz',
    filters: filters.slice(0, 1),
    isPersonal: false,
  });
  await make('POST', `/api/websites/${websiteId}/goals`, { name: 'Signup', goal: { event: 'Signup' } });
  const user = await make('POST', '/api/users', { email: 'viewer@fuzz.test', password, role: 'viewer' });

  const key = { Authorization: apiKey as string };
  const twelve = Array.from({ length: 12 }, (_, index) => ({ Name: `n${index}`, Value: 'v' }));
  const records: [string, unknown][] = [
    ['/api/page-view', pageView()],
    ['/api/page-view', { ...pageView(), OccurredAt: new Date(Date.now() - 3_600_000).toISOString() }],
    ['/api/event-view', event('Signup', [{ Name: 'plan', Value: 'pro' }])],
    ['/api/event-view', event('Signup', twelve, { Identify: { ClientId: 'account-1' } })],
    ['/api/event-view', largestEvent()],
  ];
  const batch = [
    { ...pageView(), Sequence: 'fuzz.1' },
    { ...event('Signup', [{ Name: 'plan', Value: 'pro' }]), Sequence: null },
    pageView(),
  ];
  const forms = Object.entries(routeSamples({ websiteId: other, userId: user.id })).filter(
    ([name, { body }]) => body !== undefined && !leftOut.test(name),
  );
  const own = { Host: new URL(origin).host, Cookie: admin.cookie()!, Origin: origin };
  return {
    websiteId,
    targets: [
      ...records.map(
        ([path, valid]): Target => ({
          name: `POST ${path}`,
          family: 'record',
          method: 'POST',
          path,
          headers: key,
          valid,
        }),
      ),
      {
        name: 'POST /api/batch',
        family: 'batch',
        method: 'POST',
        path: '/api/batch',
        headers: key,
        valid: { Records: batch },
      },
      ...questions(segment.id).map(
        ([kind, valid]): Target => ({
          name: `POST /api/stats/${kind}`,
          family: 'question',
          method: 'POST',
          path: `/api/stats/${kind}`,
          headers: { Authorization: `Bearer ${token}` },
          valid,
        }),
      ),
      ...forms.map(([name, { params = {}, body }]): Target => {
        const [method = '', route = ''] = name.split(' ');
        const path = route.replace(/:(\w+)/g, (_, part: string) => String(params[part] ?? other));
        return { name, family: 'form', method, path, headers: own, valid: body };
      }),
    ],
  };
}

/** As long as an event may be, so that it takes the server as long as a harmless one can. */
function largestEvent(): unknown {
  const text = (length: number) => 'ä'.repeat(length);
  const parameters = Array.from({ length: trackingLengths.parameters }, () => ({
    Name: text(trackingLengths.name),
    Value: text(trackingLengths.parameterValue),
  }));
  const address = `https://example.com/${text(trackingLengths.url)}`.slice(0, trackingLengths.url);
  return event(text(trackingLengths.name), parameters, {
    Identify: { ClientId: text(trackingLengths.clientId) },
    Page: { Absolute: address },
    Referrer: { Absolute: address },
  });
}

function askWith(client: AppClient) {
  return async (method: string, path: string, body?: object) => {
    const answer = await client.ask(method, path, body && { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
}
