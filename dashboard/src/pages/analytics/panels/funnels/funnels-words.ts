import { createUseWords } from '#words/words-context.ts';

export const funnelsWords = {
  title: 'Funnels',
  new: 'New funnel',
  edit: 'Edit funnel',
  reorder: 'Reorder…',
  none: {
    about:
      'A funnel shows how many visitors complete a series of steps, such as from pricing to sign-up, and where the others drop off.',
    step: 'Event signup',
    askAdmin: 'An admin can create one.',
  },
  switch: (name: string) => `Switch funnel, now ${name}`,
  remove: 'Delete funnel…',
  step: 'Step',
  visitors: 'Visitors',
  event: '{kind} {name}',
  eventKind: 'Event',
  /** The name of a step that is an event with a parameter. */
  withParameter: ({ event, name, value }: { event: string; name: string; value: string }) =>
    `${event}, ${name} = ${value}`,
  droppedOff: ({ count, share }: { count: string; share: string }) => `${count} dropped off (${share})`,
  nobodyDroppedOff: 'Nobody dropped off',
  completed: {
    inOneVisit: '{share} completed the funnel in one visit',
    withinDays: {
      one: '{share} completed the funnel within # day (visitors with a ClientId)',
      other: '{share} completed the funnel within # days (visitors with a ClientId)',
    },
  },
  nobodyStarted: 'Nobody started this funnel in this period',
  wholeDays: 'Counts whole days.',
  form: {
    name: 'Name',
    nameExample: 'Sign-up',
    nameMissing: 'Enter a name.',
    nameRefused: ({ length, funnels }: { length: number; funnels: number }) =>
      `Use one line of at most ${length} characters. A website can have up to ${funnels} funnels.`,
    stepsRefused: 'Check the steps: one of them is too long or has characters that can’t be used.',
    window: 'Complete all steps',
    inOneVisit: 'In one visit',
    withinDays: 'Within a number of days',
    withinDaysHint: 'Only counts visitors with a ClientId, because others can’t be recognized the next day.',
    days: 'Days from the first step to the last',
    daysWrong: ({ min, max }: { min: number; max: number }) => `Enter a whole number from ${min} to ${max}.`,
    cancel: 'Cancel',
    create: 'Create funnel',
    save: 'Save funnel',
  },
  steps: {
    legend: 'Steps',
    add: 'Add step',
    hint: 'End a path with * to match everything that starts with it.',
    kind: (number: number) => `Step ${number}, kind`,
    kinds: { page: 'Page', event: 'Event', parameter: 'Event with parameter' },
    page: (number: number) => `Step ${number}, path of the page`,
    event: (number: number) => `Step ${number}, name of the event`,
    parameterName: (number: number) => `Step ${number}, name of the parameter`,
    parameterValue: (number: number) => `Step ${number}, value of the parameter`,
    moveUp: (number: number) => `Move step ${number} up`,
    moveDown: (number: number) => `Move step ${number} down`,
    remove: (number: number) => `Remove step ${number}`,
    pageMissing: (number: number) => `Step ${number}: enter a path, such as /pricing or /blog/*.`,
    eventMissing: (number: number) => `Step ${number}: enter the name of an event.`,
    parameterMissing: (number: number) => `Step ${number}: enter the name of the parameter.`,
  },
  order: {
    title: 'Reorder funnels',
    moveUp: (name: string) => `Move ${name} up`,
    moveDown: (name: string) => `Move ${name} down`,
    save: 'Save order',
  },
  removal: {
    title: (name: string) => `Delete the funnel “${name}”?`,
    about: 'This deletes it for everyone. Your data isn’t affected.',
    remove: 'Delete funnel',
  },
};

export type FunnelsWords = typeof funnelsWords;

export const useFunnelsWords = createUseWords('analytics-funnels', funnelsWords);
