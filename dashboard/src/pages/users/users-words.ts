import { createUseWords } from '#words/words-context.ts';

export const usersWords = {
  title: 'Users',
  about: 'Admins can do everything. Viewers can see the statistics of the websites you choose.',
  add: 'Add user',
  edit: 'Edit',
  editUser: (email: string) => `Edit ${email}`,
  remove: 'Remove',
  removeUser: (email: string) => `Remove ${email}`,
  columns: { role: 'Role', websites: 'Websites', lastSignIn: 'Last sign-in', actions: 'Actions' },
  you: 'you',
  account: 'Account',
  allWebsites: 'All',
  noWebsites: 'None yet',
  someWebsite: (id: number) => `Website ${id}`,
  andMore: (names: string, count: string) => `${names} and ${count} more`,
  never: 'Never',
  dialog: {
    save: 'Save user',
    cancel: 'Cancel',
    emailMissing: 'Enter the email address they’ll sign in with.',
    firstPassword: 'Initial password',
    firstPasswordMissing: 'Enter an initial password.',
    newPassword: 'New password',
    role: 'Role',
    viewerHint: 'Can see the statistics of the websites you choose.',
    adminHint: 'Can do everything, on all websites.',
    websites: 'Websites',
    noWebsites: 'There are no websites yet.',
    findWebsite: 'Find a website',
    nothingFound: 'No website matches.',
    websitesRefused: 'One of these websites was deleted. Close this and try again.',
    lastAdmin: 'The last admin can’t be removed. Add another admin first.',
    added: (email: string) => `${email} can sign in now.`,
    saved: (email: string) => `${email} saved.`,
  },
  removal: {
    title: (email: string) => `Remove ${email}?`,
    about: 'They’ll be signed out right away and can’t sign in again. Their entries in the audit log stay.',
    confirm: 'Remove user',
    done: (email: string) => `${email} removed.`,
  },
};

export type UsersWords = typeof usersWords;

export const useUsersWords = createUseWords('users', usersWords);
