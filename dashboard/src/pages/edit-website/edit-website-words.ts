import { createUseWords } from '#words/words-context.ts';

export const editWebsiteWords = {
  title: 'Settings',
  sections: 'Sections',
  sendRecords: 'How to send records',
  saving: {
    undo: 'Undo',
    draft: 'You typed this earlier. It isn’t saved yet.',
    bothKept: 'Another admin changed this website in the meantime. Both changes were saved.',
    clash: 'Another admin changed the same setting while you were typing.',
    notSaved: 'Your change isn’t saved yet.',
    theirs: 'Theirs',
    yours: 'Yours',
    saveMine: 'Save mine',
    keepTheirs: 'Keep theirs',
  },
  website: {
    title: 'Website',
    about: 'Shown in Trackside and in reports.',
    name: 'Name',
    domain: 'Domain',
    timezone: 'Time zone',
    nameMissing: 'Enter a name.',
    domainMissing: 'Enter the domain, for example shop.example.com.',
    nameRefused: 'Enter a name of up to 100 characters.',
    domainRefused: 'Enter a domain without https:// or a path, for example shop.example.com.',
    domainTaken: 'Another website already has this domain.',
    timezoneRefused: 'Choose a time zone from the list.',
    save: 'Save changes',
    saved: 'Website saved.',
  },
  addresses: {
    title: 'Page URLs',
    about: 'Choose which URLs count as the same page.',
    ignoreTrailingSlash: 'Ignore trailing slashes: count /about/ as /about',
    ignoreCase: 'Ignore letter case: count /About as /about',
    ignoreWww: 'Ignore www: count www.example.com as example.com',
    on: 'On',
    off: 'Off',
    save: 'Save page URLs',
    saved: 'Page URLs saved. Past days update within minutes.',
  },
  quota: {
    title: 'Monthly quota',
    legend: 'Monthly limit',
    name: 'Monthly quota',
    noLimit: 'No limit',
    perMonth: { one: '# record per month', other: '# records per month' },
    save: 'Save quota',
    saved: 'Quota saved. It applies from the next record on.',
    used: 'Quota used this month',
    /** The number stands out, so it is put in as an element. */
    usedIn: (month: string) => ({
      one: `{used} record in ${month}`,
      other: `{used} records in ${month}`,
    }),
    usedOf: (limit: string, month: string) => `{used} of ${limit} records in ${month}`,
    noLimitSet: 'No limit is set.',
    resets: (day: string) => `Resets on ${day} at 00:00 UTC.`,
    full: 'New records are refused until then.',
    forecast: (total: string) => `At this rate, you’ll reach about ${total} by the end of the month.`,
    forecastFull: (total: string, day: string) =>
      `At this rate, you’d reach about ${total} and run out around ${day}.`,
  },
  data: {
    title: 'Data',
    about: 'How long records are kept, and how to export or erase them.',
  },
  retention: {
    legend: 'Keep records',
    forever: 'Forever',
    foreverHint: 'Nothing is deleted automatically.',
    deleteAfter: 'Delete records after',
    unit: 'days',
    name: 'Retention',
    days: { one: '# day', other: '# days' },
    outOfRange: (min: string, max: string) => `Enter a number of days from ${min} to ${max}.`,
    save: 'Save retention',
    saved: 'Retention saved.',
    notYet: 'Old records are deleted once a day. This hasn’t happened since the server started.',
    lastRun: 'Old records were last deleted {ago}.',
    ask: 'Delete older records?',
    /** `before` is a day, `days` the number of days as in `days` above. */
    consequences: (days: string) =>
      `All records of this website from before {before} will be deleted within a day. From then on, ` +
      `records are deleted when they are older than ${days}. Deleted records and their statistics can’t ` +
      'be restored.',
    confirm: 'Delete older records',
  },
  export: {
    title: 'Raw export',
    about:
      'Download the records themselves, including those of bots. The download is added to the audit log.',
    from: 'First day',
    to: 'Last day',
    reversed: 'Choose a day that isn’t before the first day.',
    format: 'Format',
    csv: 'CSV',
    parquet: 'Parquet',
    csvHint: 'For spreadsheets. Values that look like formulas are made harmless.',
    parquetHint: 'For databases and notebooks. Smaller, with types.',
    download: 'Download records',
  },
  person: {
    label: 'Data of one person',
    placeholder: 'ClientId',
    hint: 'Trackside stores only a hash of the ClientId. Enter the original to find the person’s records.',
    missing: 'Enter the ClientId as your backend sends it.',
    export: 'Export records',
    exported: 'Records exported, one per line.',
    none: 'No records have this ClientId.',
    erase: 'Erase…',
    ask: 'Erase all records of this person?',
    consequences:
      'This deletes every record that was sent with this ClientId, and what the person did before signing ' +
      'in during the same visit. The statistics of those days are recalculated. This can’t be undone.',
    confirm: 'Erase records',
    erased: { one: '# record erased.', other: '# records erased.' },
  },
  remove: {
    title: 'Delete website',
    about: 'Deletes the website and all of its records.',
    button: 'Delete website…',
    ask: (name: string) => `Delete ${name}?`,
    consequences:
      'Its API key stops working immediately, and all of its records and statistics are deleted. This ' +
      'can’t be undone.',
    label: (domain: string) => `Type ${domain} to confirm`,
    mismatch: (domain: string) => `Type ${domain} to confirm.`,
    confirm: 'Delete website',
    progress: 'Deletion progress',
    deleting: 'Deleting…',
    deleted: (done: string) => ({
      one: `${done} of # record deleted`,
      other: `${done} of # records deleted`,
    }),
    done: (name: string) => `${name} was deleted.`,
    failed: 'The deletion failed. The server tries again every minute.',
  },
  cancel: 'Cancel',
  copy: 'Copy',
};

export type EditWebsiteWords = typeof editWebsiteWords;

export const useEditWebsiteWords = createUseWords('edit-website', editWebsiteWords);
