import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from './create-format.ts';
import { describeRequest, listFacts } from './describe-request.ts';

const format = createFormat({ locale: 'en-GB', timeZone: 'UTC' });
const understood = {
  page: '/pricing',
  event: null,
  parameters: 0,
  browser: 'Firefox',
  os: 'Linux',
  country: 'DE',
  source: 'Google',
  bot: null,
  hasClientId: false,
};
const accepted = {
  at: '2026-11-14T12:00:00.000Z',
  kind: 'page_view' as const,
  code: 200,
  message: 'Success',
  shape: null,
};

test('describes a page view and an event in one line', () => {
  assert.equal(
    describeRequest({ ...accepted, understood }, format),
    'page view · /pricing · Firefox, Germany, Google',
  );
  const event = { ...understood, event: 'purchase', parameters: 3, source: '', country: '', browser: '' };
  assert.equal(
    describeRequest({ ...accepted, understood: event }, format),
    'event · purchase · 3 parameters',
  );
});

test('right-to-left letters don’t move the number of parameters', () => {
  const [event] = listFacts({ ...understood, event: 'تسجيل', parameters: 2 }, format);
  assert.equal(event!.value, 'تسجيل\u200e, 2 parameters');
});

test('shows the message of a refused request', () => {
  const refused = { ...accepted, code: 400, message: 'Metrics: expected an object', understood: null };
  assert.equal(describeRequest(refused, format), 'Metrics: expected an object');
});

test('marks a repeat, which is not a second record', () => {
  const repeat = { ...accepted, isRepeat: true as const, understood: null };
  assert.equal(
    describeRequest(repeat, format),
    'page view · repeated with its Idempotency-Key, counted once',
  );
  assert.match(describeRequest({ ...repeat, kind: 'event' }, format), /^event · repeated/);
});

test('says what was understood, and what was not sent', () => {
  const facts = listFacts({ ...understood, country: '', source: '', bot: 'GPTBot', os: '' }, format);
  const value = (name: string) => facts.find((fact) => fact.name === name)?.value;
  assert.equal(value('Country'), 'Not sent');
  assert.equal(value('Source'), 'Direct');
  assert.equal(value('Visitor'), 'Bot: GPTBot');
  assert.equal(value('Browser'), 'Firefox');
});

test('makes texts from others readable and impossible to confuse with another text', () => {
  const odd = {
    ...understood,
    page: '/%C3%BCber-uns',
    event: 'pay\u202epal',
    source: 'xn--mller-kva.example',
  };
  const line = describeRequest({ ...accepted, understood: odd }, format);
  assert.equal(line, 'event · pay\\u{202e}pal · Firefox, Germany, müller.example');
  assert.ok(listFacts(odd, format).some(({ value }) => value === '/über-uns'));
});
