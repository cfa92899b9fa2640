import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecentRequestAnswer } from '@trackside/contract/app/answers.ts';
import { describeRequest, paintRequest } from './describe-request.ts';

const understood = {
  page: '/pricing',
  event: null,
  parameters: 0,
  browser: 'Firefox',
  os: 'Linux',
  country: 'DE',
  source: '',
  bot: null,
  hasClientId: false,
};
const request: RecentRequestAnswer = {
  at: '2026-11-16T14:02:11.123Z',
  kind: 'page_view',
  code: 200,
  message: 'Success',
  understood,
  shape: null,
};

test('says what was understood of a request', () => {
  assert.equal(describeRequest(request), '14:02:11 200 page view /pricing · Firefox on Linux · DE · direct');
  const event = { ...understood, event: 'Signup', parameters: 1, hasClientId: true, source: 'Google' };
  assert.equal(
    describeRequest({ ...request, kind: 'event', understood: event }),
    '14:02:11 200 event Signup on /pricing · 1 parameter · Firefox on Linux · DE · Google · with ClientId',
  );
  const bot = { ...understood, bot: 'GPTBot', browser: '', os: '', country: '' };
  assert.equal(
    describeRequest({ ...request, understood: bot }),
    '14:02:11 200 page view /pricing · bot: GPTBot · direct',
  );
});

test('says why a request was refused, and what it contained', () => {
  const refused = {
    ...request,
    code: 400,
    message: 'Metrics: expected',
    understood: null,
    shape: { a: 'text' },
  };
  assert.equal(describeRequest(refused), '14:02:11 400 page view Metrics: expected · received {"a":"text"}');
});

test('colors only the verdict', () => {
  const line = describeRequest(request);
  assert.match(paintRequest(request, line), /^\S+14:02:11\S+ \S+\[32m200\S+ page view \/pricing/);
  const plain = paintRequest({ ...request, code: 400 }, line).replaceAll(/\p{Cc}\[\d+m/gu, '');
  assert.equal(plain, line);
});
