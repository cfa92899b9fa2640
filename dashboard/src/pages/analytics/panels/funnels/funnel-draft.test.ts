import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStep } from './describe-step.ts';
import {
  checkFunnel as check,
  emptyFunnel,
  emptyStep,
  type FunnelDraft,
  moveOne,
  type StepDraft,
  toDraft,
  toNewFunnel,
} from './funnel-draft.ts';
import { funnelsWords } from './funnels-words.ts';

const checkFunnel = (funnel: FunnelDraft) => check(funnel, funnelsWords);

const step = (change: Partial<StepDraft>): StepDraft => ({ ...emptyStep(0), ...change });
const draft = (change: Partial<FunnelDraft>): FunnelDraft => ({
  ...emptyFunnel,
  name: 'Sign-up',
  steps: [step({ page: '/pricing' }), step({ kind: 'event', event: 'signup' })],
  ...change,
});

test('accepts a complete funnel', () => {
  assert.deepEqual(checkFunnel(draft({})), {});
});

test('names the first step that is incomplete', () => {
  const whole = step({ page: '/' });
  const checkStep = (change: Partial<StepDraft>) =>
    checkFunnel(draft({ steps: [whole, step(change)] })).steps;
  assert.match(checkStep({ page: 'pricing' }) ?? '', /^Step 2: enter a path/);
  assert.match(checkStep({ kind: 'event', page: '/x' }) ?? '', /^Step 2: enter the name of an event/);
  assert.match(
    checkStep({ kind: 'parameter', event: 'buy' }) ?? '',
    /^Step 2: enter the name of the parameter/,
  );
  assert.equal(checkStep({ kind: 'parameter', event: 'buy', parameterName: 'plan' }), undefined);
});

test('requires a name, and a number of days that can be counted', () => {
  assert.ok(checkFunnel(draft({ name: '  ' })).name);
  for (const withinDays of ['', '0', '91', '1.5', 'many'])
    assert.ok(checkFunnel(draft({ within: 'days', withinDays })).withinDays, withinDays);
  assert.deepEqual(checkFunnel(draft({ within: 'days', withinDays: '90' })), {});
  assert.deepEqual(checkFunnel(draft({ within: 'visit', withinDays: 'many' })), {});
});

test('sends only what belongs to the kind of each step', () => {
  const typed = { page: ' /blog/* ', event: 'purchase ', parameterName: ' plan', parameterValue: 'pro' };
  const steps = (['page', 'event', 'parameter'] as const).map((kind) => step({ ...typed, kind }));
  assert.deepEqual(toNewFunnel(draft({ name: ' Buying ', steps })), {
    name: 'Buying',
    steps: [
      { page: '/blog/*' },
      { event: 'purchase' },
      { event: 'purchase', parameter: { name: 'plan', value: 'pro' } },
    ],
    withinDays: null,
  });
  assert.equal(toNewFunnel(draft({ within: 'days', withinDays: '14' })).withinDays, 14);
});

test('opens a funnel for editing, and saves it unchanged', () => {
  const funnel = {
    name: 'Buying',
    steps: [
      { page: '/blog/*' },
      { event: 'purchase' },
      { event: 'purchase', parameter: { name: 'plan', value: '' } },
    ],
    withinDays: 14,
  };
  assert.deepEqual(toNewFunnel(toDraft(funnel)), funnel);
  const inOneVisit = { ...funnel, withinDays: null };
  assert.deepEqual(toNewFunnel(toDraft(inOneVisit)), inOneVisit);
  const keys = toDraft(funnel).steps.map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length, 'each step can be moved');
});

test('moves a step, but not beyond the ends', () => {
  const steps = ['a', 'b', 'c'].map((page, key) => step({ page, key }));
  const pages = (list: readonly StepDraft[]) => list.map(({ page }) => page).join('');
  assert.equal(pages(moveOne(steps, 0, 1)), 'bac');
  assert.equal(pages(moveOne(steps, 2, -1)), 'acb');
  assert.equal(pages(moveOne(steps, 0, -1)), 'abc');
  assert.equal(pages(moveOne(steps, 2, 1)), 'abc');
});

test('describes each kind of step', () => {
  assert.deepEqual(describeStep({ page: '/pricing' }, funnelsWords), { kind: 'page', name: '/pricing' });
  assert.deepEqual(describeStep({ event: 'signup' }, funnelsWords), { kind: 'event', name: 'signup' });
  const parameter = { name: 'plan', value: 'pro' };
  assert.deepEqual(describeStep({ event: 'purchase', parameter }, funnelsWords), {
    kind: 'event',
    name: 'purchase, plan = pro',
  });
});
