import { createUseWords } from '#words/words-context.ts';

export const goalsWords = {
  title: 'Goals',
  goal: 'Goal',
  /** The heading of two numbers: the share of visitors who convert, and how many they are. */
  conversions: 'Rate · Conversions',
  add: 'Add goal',
  manage: 'Manage goals…',
  empty:
    'A goal is a page or an event that you want visitors to reach, such as a sign-up. It shows how many do, and where they come from.',
  askAdmin: 'An admin can add goals.',
  noGoals: 'No goals yet',
  trend: (name: string) => `Conversions over time: ${name}`,
  change: (before: string) => `${before} in the compared period`,
  chip: {
    list: 'Goal',
    text: 'Goal: {name}',
    clear: (name: string) => `Clear the goal ${name}`,
  },
  adding: {
    title: 'Add goal',
    about: 'What do you want visitors to do?',
    kind: 'Goal',
    page: 'View a page',
    path: 'Path',
    pathHint: 'A * stands for any text: /thanks/*',
    pathPlaceholder: '/thanks',
    pathMissing: 'Enter a path that starts with a slash, such as /thanks.',
    event: 'Trigger an event',
    eventName: 'Event name',
    eventPlaceholder: 'signup',
    eventMissing: 'Enter the name of an event.',
    name: 'Name',
    namePlaceholder: 'Sign-up',
    nameLong: (length: number) => `Enter at most ${length} characters.`,
    taken: 'This is already a goal.',
    refused: (count: number) => `This can’t be a goal, or there are already ${count} of them.`,
    cancel: 'Cancel',
    submit: 'Add goal',
    added: (name: string) => `Goal “${name}” added.`,
    editTitle: 'Edit goal',
    save: 'Save goal',
    saved: (name: string) => `Goal “${name}” saved.`,
  },
  managing: {
    title: 'Goals',
    about: 'Removing a goal doesn’t delete any data. You can add it again at any time.',
    page: (path: string) => `Page ${path}`,
    event: (name: string) => `Event ${name}`,
    edit: 'Edit',
    editOf: (name: string) => `Edit ${name}`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    reallyRemove: 'Really remove?',
    removed: 'Goal removed.',
    close: 'Close',
  },
};

export type GoalsWords = typeof goalsWords;

export const useGoalsWords = createUseWords('goals', goalsWords);
