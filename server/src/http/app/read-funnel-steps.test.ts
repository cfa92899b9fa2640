import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFunnel } from '../../stats/reports/read-reports.ts';
import { AppFault } from './app-fault.ts';
import { addFunnelBody } from './forms.ts';
import { readForm } from './read-form.ts';

const good = { name: 'Buying', steps: [{ page: '/' }, { event: 'purchase' }], withinDays: null };
const page = { page: '/' };

/** Returns the messages next to the fields. */
function faultOf(changes: object): Record<string, string> {
  try {
    readForm({ ...good, ...changes }, addFunnelBody);
  } catch (error) {
    assert.ok(error instanceof AppFault);
    return error.fields!;
  }
  assert.fail('expected a fault');
}

test('reads pages and events; trims a page, but leaves event texts unchanged', () => {
  const steps = [
    { page: ' /blog/* ' },
    { event: ' Add to cart ' },
    { event: 'purchase', parameter: { name: 'coupon', value: '' } },
  ];
  assert.deepEqual(readForm({ name: ' Buying ', steps, withinDays: 90 }, addFunnelBody), {
    name: 'Buying',
    withinDays: 90,
    steps: [{ page: '/blog/*' }, ...steps.slice(1)],
  });
});

test('says which step is wrong, and how', () => {
  for (const [second, says] of [
    [{ page: 'pricing' }, 'Step 2: expected a path that begins with /, such as /pricing or /blog/*.'],
    [{ page: '' }, 'Step 2, page: expected 1 to 2048 characters, got 0.'],
    [{ page: '/\u0000' }, 'Step 2, page: expected one line of text, got control characters.'],
    [{ page: 3 }, 'Step 2, page: expected text.'],
    [{ event: ' ' }, 'Step 2, event: expected 1 to 256 characters, got 0.'],
    [{ event: 'x'.repeat(257) }, 'Step 2, event: expected 1 to 256 characters, got 257.'],
    [{}, 'Step 2: expected a page or an event.'],
    [{ page: '/', event: 'x' }, 'Step 2: expected a page or an event.'],
    [
      { page: '/', parameter: { name: 'a', value: 'b' } },
      'Step 2: expected a parameter only for an event, got one for a page.',
    ],
    [{ event: 'x', parameter: { name: 'a' } }, 'Step 2, value: expected text.'],
    [{ event: 'x', parameter: 'a' }, 'Step 2, parameter: expected an object.'],
    [{ page: '/', more: 1 }, 'Step 2: expected only page, event, parameter, got another member.'],
    ['/', 'Step 2: expected an object.'],
  ] as const)
    assert.deepEqual(faultOf({ steps: [page, second] }), { steps: says });
});

test('accepts 2 to 8 steps, within a visit or 1 to 90 days', () => {
  for (const steps of [[], [page], Array(9).fill(page), 'none', null])
    assert.match(faultOf({ steps }).steps!, /^Expected 2 to 8 steps, got (?:\d|none)\.$/);
  for (const withinDays of [0, 91, 1.5, '7']) assert.ok(faultOf({ withinDays }).withinDays);
  const wrong = Object.keys(faultOf({ name: '', steps: [], withinDays: 0 }));
  assert.deepEqual(wrong, ['name', 'steps', 'withinDays']);
});

test('whatever it accepts can be asked of the statistics', () => {
  const long = { event: 'e'.repeat(256), parameter: { name: 'n'.repeat(256), value: 'v'.repeat(2048) } };
  const { steps } = readForm({ ...good, steps: [{ page: `/${'p'.repeat(2047)}` }, long] }, addFunnelBody);
  const now = { day: '2026-11-03', at: '2026-11-03 12:00:00' };
  const context = { now, minutesAgo: () => now, firstDay: '2026-01-01' };
  assert.deepEqual(readFunnel({ steps, within: { days: 90 } }, context).steps, steps);
});
