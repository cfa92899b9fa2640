import { createUseWords } from '#words/words-context.ts';

/** The words of the page's controls, and of what it says about its numbers as a whole. */
export const headWords = {
  loading: 'Loading statistics',
  filter: {
    button: 'Filter',
    list: 'Filters',
    edit: (filter: string) => `Edit filter: ${filter}`,
    clear: 'Clear all',
    remove: (filter: string) => `Remove filter: ${filter}`,
    addTitle: 'Add filter',
    editTitle: 'Edit filter',
    dimension: 'Filter by',
    operator: 'Condition',
    parameter: 'Parameter',
    value: 'Value',
    values: 'Values',
    chosen: 'Selected values',
    removeValue: (value: string) => `Remove ${value}`,
    suggestions: 'Values in this period',
    noSuggestions: 'No matching values in this period',
    chooseValue: 'Choose a value from the list.',
    enterValue: 'Enter a value or choose one from the list.',
    cancel: 'Cancel',
    add: 'Add filter',
    save: 'Save filter',
  },
  period: {
    label: 'Period',
    previous: 'Previous period',
    next: 'Next period',
    custom: 'Custom range…',
  },
  range: {
    title: 'Custom range',
    from: 'From',
    to: 'To',
    cancel: 'Cancel',
    apply: 'Apply range',
    missing: 'Enter both dates.',
    reversed: 'The start date must not be after the end date.',
    future: 'Choose a start date that isn’t in the future.',
    tooLong: 'Choose a range of at most 20 years.',
  },
  compare: {
    button: 'Compare',
    menu: 'Compare with',
    chosen: (comparison: string) => `Compare with: ${comparison}`,
    custom: 'Custom range…',
    rangeTitle: 'Compare with a custom range',
  },
  interval: { label: 'Chart interval' },
  about: {
    allTime: (timezone: string) => `Since the first record, ${timezone}`,
    period: (span: string, timezone: string) => `${span}, ${timezone}`,
    compared: (span: string) => `compared with ${span}`,
    comparedUntilNow: (span: string) => `compared with ${span} up to the same time`,
    comparedYear: 'compared with the year before',
    comparedHours: {
      previousPeriod: 'compared with the 24 hours before',
      sameWeekdays: 'compared with the same 24 hours a week earlier',
      previousYear: 'compared with the same 24 hours a year earlier',
    },
    asOf: (time: string) => `as of ${time}`,
    slow: 'Still loading…',
  },
  delay: {
    calculating: 'Some days are being calculated for the first time. Their numbers will appear on their own.',
    busy: 'Statistics are busy. The missing numbers will appear shortly.',
    restarting:
      'Statistics are restarting. Records are still accepted, and the numbers will be back shortly.',
  },
  keys: {
    button: 'Keyboard shortcuts',
    title: 'Keyboard shortcuts',
    addFilter: 'Add a filter',
    clearFilters: 'Clear all filters',
    previous: 'Previous period',
    next: 'Next period',
    live: 'Open live view',
    help: 'Show this list',
    close: 'Close',
  },
};

export type HeadWords = typeof headWords;

export const useHeadWords = createUseWords('analytics-head', headWords);
