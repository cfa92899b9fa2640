import { createUseWords } from '#words/words-context.ts';

/** The words of a list: its tab, the heading above its rows, and its plural as in "All sources". */
const listing = (tab: string, heading: string, plural: string) => ({ tab, heading, plural });

/** The words of the panels that are lists, and of the table that each of them opens. */
export const panelsWords = {
  titles: {
    sources: 'Sources',
    pages: 'Pages',
    locations: 'Locations',
    devices: 'Devices',
    events: 'Events',
  },
  listings: {
    source: listing('Top sources', 'Source', 'sources'),
    channel: listing('Channels', 'Channel', 'channels'),
    referrer: listing('Referrers', 'Referrer', 'referrers'),
    utmSource: listing('Source', 'UTM source', 'UTM sources'),
    utmMedium: listing('Medium', 'UTM medium', 'UTM mediums'),
    utmCampaign: listing('Campaign', 'UTM campaign', 'UTM campaigns'),
    utmTerm: listing('Term', 'UTM term', 'UTM terms'),
    utmContent: listing('Content', 'UTM content', 'UTM content'),
    page: listing('Top pages', 'Page', 'pages'),
    entryPage: listing('Entry', 'Entry page', 'entry pages'),
    exitPage: listing('Exit', 'Exit page', 'exit pages'),
    country: listing('Countries', 'Country', 'countries'),
    region: listing('Regions', 'Region', 'regions'),
    city: listing('Cities', 'City', 'cities'),
    language: listing('Languages', 'Language', 'languages'),
    browser: listing('Browsers', 'Browser', 'browsers'),
    browserVersion: listing('Versions', 'Browser version', 'browser versions'),
    os: listing('Systems', 'Operating system', 'operating systems'),
    osVersion: listing('Versions', 'System version', 'system versions'),
    device: listing('Types', 'Device', 'devices'),
    screenSize: listing('Screens', 'Screen size', 'screen sizes'),
    event: listing('Events', 'Event', 'events'),
  },
  tabs: { utm: 'UTM', map: 'Map', allEvents: 'All events', conversions: 'Conversions' },
  utmTag: 'UTM tag',
  list: {
    label: ({ heading, unit }: { heading: string; unit: string }) => `${heading}, by ${unit.toLowerCase()}`,
    visitors: 'Visitors',
    empty: 'No data in this period',
    emptyFiltered: 'No data for these filters',
    openInNewTab: (name: string) => `Open ${name} in a new tab`,
    filterBy: (name: string) => `Filter by ${name}`,
    tryAgain: 'Try again',
    all: (plural: string) => `All ${plural}`,
    /** The path down from a list, such as "All countries". */
    crumbs: (list: string) => `Path from “${list}”`,
  },
  noMatches: {
    title: 'No data matches these filters',
    about: 'Nobody in this period matches all of them.',
    clear: 'Clear filters',
  },
  visitors: { one: '# visitor', other: '# visitors' },
  map: {
    label: 'World map, shaded by visitors',
    noVisitors: 'No visitors',
  },
  events: {
    event: 'Event',
    count: 'Count',
    conversionRate: 'Conversion rate',
    parameter: 'Parameter',
    parameterOf: (event: string) => `${event} → parameter`,
    value: 'Value',
    valueOf: (parameter: string) => `${parameter} → value`,
    noParameters: 'This event has no parameters',
    noneOnPage: 'No events on this page',
  },
  details: {
    columns: {
      visitors: 'Visitors',
      visits: 'Visits',
      pageViews: 'Page views',
      events: 'Count',
      viewsPerVisit: 'Views per visit',
      bounceRate: 'Bounce rate',
      visitDuration: 'Visit duration',
      eventsPerVisitor: 'Events per visitor',
      conversions: 'Conversions',
      conversionRate: 'Conversion rate',
    },
    share: 'Share',
    change: 'Change',
    search: (plural: string) => `Search ${plural}`,
    groupBy: 'Group by',
    saveAsCsv: 'Save as CSV',
    /** The name of the file: shop.com pages 2026-11-01 to 2026-11-14 */
    file: ({ domain, plural, from, to }: { domain: string; plural: string; from: string; to: string }) =>
      `${domain} ${plural} ${from} to ${to}.csv`,
    rows: { one: '# row', other: '# rows' },
    range: ({ first, last, all }: { first: string; last: string; all: string }) =>
      `${first}–${last} of ${all}`,
    previous: 'Previous',
    next: 'Next',
    close: 'Close',
    nothingFound: 'No matching rows in this period',
  },
};

export type PanelsWords = typeof panelsWords;

export const usePanelsWords = createUseWords('analytics-panels', panelsWords);
