import { createUseWords } from '#words/words-context.ts';

export const accountWords = {
  title: 'Account',
  language: {
    title: 'Language',
    about: 'Applies to you, on all your devices.',
    browser: 'Same as your browser',
  },
  password: {
    title: 'Password',
    about: 'Changing your password signs you out on all other devices.',
    current: 'Current password',
    new: 'New password',
    currentMissing: 'Enter your current password.',
    currentWrong: 'This isn’t your current password.',
    newMissing: 'Enter a new password.',
    change: 'Change password',
    changed: 'Password changed. Your other devices are signed out.',
  },
  sessions: {
    title: 'Sessions',
    about: 'Lost a device, or used someone else’s? Sign out everywhere.',
    unknownDevice: 'Unknown device',
    here: 'This device',
    lastUsed: 'Last used {ago}',
    end: 'Sign out',
    endOf: (device: string) => `Sign out ${device}`,
    ended: 'Signed out on that device.',
    signOut: 'Sign out here',
    signOutEverywhere: 'Sign out everywhere',
  },
};

export type AccountWords = typeof accountWords;

export const useAccountWords = createUseWords('account', accountWords);
