import { createUseWords } from '#words/words-context.ts';

/** The words of everything that gives access: the API key, its requests, read tokens, the public link and users. */
export const accessWords = {
  key: {
    title: 'API key',
    about: 'Your backend sends it with every record. Treat it like a password.',
    reveal: 'Reveal',
    hide: 'Hide',
    copyHeader: 'Copy header',
    copyKey: 'Copy key',
    regenerate: 'Regenerate…',
    copies: '“Copy header” copies {header}',
    notUsed: 'Not used yet',
    lastUsed: 'Last used {ago}',
    isNew: 'This is your new key.',
    useNew: 'Update your backend now.',
    oldUntil: (time: string) => `The previous key works until ${time}.`,
    warning:
      'Never use the key in code that runs in a browser or an app. If it was exposed, regenerate it: the ' +
      'old key stops working within a second.',
    ask: 'Regenerate the API key?',
    consequences:
      'Every backend that sends records for {domain} needs the new key. Requests with the old key get a ' +
      '401, and their records are lost.',
    keyLastUsed: 'The key was last used {ago}.',
    old: 'Old key',
    stops: 'Stop it immediately',
    stopsHint: 'If others may have seen it.',
    stays: 'Keep it for 24 more hours',
    staysHint: 'So that you can update every backend without a gap.',
    confirm: 'Regenerate key',
  },
  requests: {
    title: 'Recent requests',
    about: 'What your backend sent, and our responses.',
    live: 'Live',
    which: 'Requests to show',
    all: 'All',
    refused: 'Refused',
    noneRefused: 'No recent requests were refused.',
    none: 'No requests since the server started. New ones appear here right away.',
    showAll: (count: string) => `Show all ${count}`,
    skipped: {
      one: '# more request came in too fast to be listed. It was counted.',
      other: '# more requests came in too fast to be listed. They were counted.',
    },
    received: 'Received fields (values hidden):',
    empty: 'empty',
  },
  tokens: {
    title: 'Read tokens',
    about: 'For programs that read statistics through the API. They can’t send records. {reference}',
    reference: 'API reference',
    new: 'New token',
    placeholder: 'For example, weekly report',
    nameMissing: 'Enter a name for the token.',
    nameRefused: 'Enter a name of up to 100 characters.',
    create: 'Create token',
    yours: 'Your read token',
    copyNow: 'Copy it now. Only a hash is stored, so it can’t be shown again.',
    copy: 'Copy token',
    done: 'Done',
    revoke: 'Revoke',
    revokeNamed: (name: string) => `Revoke ${name}`,
    ask: (name: string) => `Revoke “${name}”?`,
    consequences: 'Programs that use it can no longer read the statistics. This can’t be undone.',
    confirm: 'Revoke token',
    revoked: (name: string) => `Token “${name}” revoked.`,
    origins: 'Allowed origins',
    originsHint:
      'Websites whose pages can read the statistics in the browser with a token. Separate them with spaces.',
    originsPlaceholder: 'https://intranet.example.com',
    originsRefused: 'Enter up to 20 origins such as https://intranet.example.com, without a path.',
    noOrigins: 'None',
    saveOrigins: 'Save origins',
    originsSaved: 'Allowed origins saved.',
  },
  share: {
    title: 'Public link',
    about: 'Anyone with the link can see the dashboard, but nothing else.',
    open: 'Open',
    renew: 'Replace link…',
    ask: 'Replace the public link?',
    consequences: 'You’ll get a new link. The old one stops working for everyone who has it.',
    confirm: 'Replace link',
    embed: 'Embed',
    embedAbout: 'Show the same dashboard inside another website, without the header.',
    theme: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
    frameTitle: (name: string) => `Analytics for ${name}`,
  },
  people: {
    title: 'People with access',
    about: 'Admins can see and change everything. Viewers can see the statistics.',
    manage: 'Manage users',
  },
};

export type AccessWords = typeof accessWords;

export const useAccessWords = createUseWords('access', accessWords);
