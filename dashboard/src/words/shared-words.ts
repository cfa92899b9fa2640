import { passwordLength } from '@trackside/contract/app/limits.ts';
import { createUseWords } from './words-context.ts';

/** What several pages say: their frame, their controls and the fields of their forms. */
export const sharedWords = {
  loading: 'Loading…',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  copied: 'Copied',
  copyByHand: 'Select and press Ctrl+C',
  optional: '(optional)',

  header: {
    home: 'Trackside, all websites',
    settings: 'Settings',
    quality: 'Data quality',
    lostToday: (share: string) => `${share} of today’s records were refused or are missing. See why`,
    lostYesterday: (share: string) => `${share} of yesterday’s records were refused or are missing. See why`,
    breadcrumb: 'Breadcrumb',
    websites: 'Websites',
    allWebsites: 'All websites',
    switchFrom: (name: string) => `Switch website, currently ${name}`,
    liveTitle: 'Visitors in the last 5 minutes',
    visitors: { one: 'visitor', other: 'visitors' },
    now: 'now',
  },
  theme: { title: 'Theme', light: 'Light', dark: 'Dark', system: 'System' },
  account: {
    menu: 'Account menu',
    menuOf: (email: string) => `Account menu of ${email}`,
    websites: 'Websites',
    users: 'Users',
    auditLog: 'Audit log',
    account: 'Account',
    signOut: 'Sign out',
  },
  roles: { admin: 'Admin', viewer: 'Viewer' },

  connectionLost: 'Connection lost. Reconnecting… Your changes are safe.',
  serverNotReady: 'The server isn’t ready',
  websiteNotFound: {
    title: 'Website not found',
    about: 'It was deleted, or you don’t have access.',
    deletingTitle: 'This website is being deleted',
    deleting: 'Its records are being deleted, too.',
  },
  notLoaded: 'Couldn’t load this',
  notAvailable: 'Not available right now',
  pageFault: {
    title: 'Something went wrong on this page',
    about: 'If reloading doesn’t help, the browser console has the details.',
    reload: 'Reload page',
  },

  signIn: {
    action: 'Sign in',
    emailMissing: 'Enter your email address.',
    passwordMissing: 'Enter your password.',
    wait: 'Too many attempts. Try again in {time}.',
    seconds: { one: '# second', other: '# seconds' },
    minutes: (time: string) => `${time} min`,
    againTitle: 'Session expired',
    again: 'Sign in to continue where you left off. Your changes are safe.',
    leave: 'Leave this page',
  },
  email: {
    label: 'Email',
    invalid: 'Enter a valid email address.',
    taken: 'There’s already a user with this email address.',
  },
  password: {
    label: 'Password',
    show: 'Show password',
    hide: 'Hide password',
    empty: `At least ${passwordLength.min} characters. A short phrase is easy to remember.`,
    tooShort: { one: 'Too short. Add # more character.', other: 'Too short. Add # more characters.' },
    easy: 'Easy to guess. Use a wider mix of characters.',
    fine: 'Good. Longer is stronger.',
    strong: 'Strong.',
    refused: `Choose a password that’s hard to guess, with at least ${passwordLength.min} characters.`,
  },
  timezone: {
    label: 'Time zone',
    hint: 'Days start and end at midnight in this time zone.',
    hintWithOffset: (offset: string) =>
      `Currently ${offset}. Days start and end at midnight in this time zone.`,
    nothing: 'No time zone found. Try a large city nearby.',
    invalid: 'Choose a time zone from the list.',
  },
  quota: {
    legend: 'Monthly quota',
    unlimited: 'No limit',
    unlimitedHint: 'Every record is accepted.',
    limited: 'At most',
    unit: 'records per month',
    invalid: 'Enter a whole number, such as 250,000.',
  },
};

export type SharedWords = typeof sharedWords;

export const useSharedWords = createUseWords('shared', sharedWords);
