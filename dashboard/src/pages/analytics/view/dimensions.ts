import { type DimensionName, namedDimensions } from '@trackside/contract/stats/dimensions.ts';

export type DimensionGroup = 'Page' | 'Source' | 'Location' | 'Device' | 'Event' | 'Visitor';

type About = {
  label: string;
  group: DimensionGroup;
  /** The values are codes, and people search for their names. */
  isCoded?: true;
};

/** The dimensions to filter by, with their labels, in the order in which they are offered. */
export const dimensions: Readonly<Record<DimensionName, About>> = {
  page: { label: 'Page', group: 'Page' },
  entryPage: { label: 'Entry page', group: 'Page' },
  exitPage: { label: 'Exit page', group: 'Page' },
  host: { label: 'Host', group: 'Page' },
  queryParameter: { label: 'Address parameter', group: 'Page' },
  source: { label: 'Source', group: 'Source' },
  channel: { label: 'Channel', group: 'Source', isCoded: true },
  referrer: { label: 'Referrer', group: 'Source' },
  utmSource: { label: 'UTM source', group: 'Source' },
  utmMedium: { label: 'UTM medium', group: 'Source' },
  utmCampaign: { label: 'UTM campaign', group: 'Source' },
  utmTerm: { label: 'UTM term', group: 'Source' },
  utmContent: { label: 'UTM content', group: 'Source' },
  country: { label: 'Country', group: 'Location', isCoded: true },
  region: { label: 'Region', group: 'Location' },
  regionCode: { label: 'Region code', group: 'Location' },
  city: { label: 'City', group: 'Location' },
  postalCode: { label: 'Postal code', group: 'Location' },
  continent: { label: 'Continent', group: 'Location', isCoded: true },
  language: { label: 'Language', group: 'Location', isCoded: true },
  timezone: { label: 'Timezone', group: 'Location' },
  browser: { label: 'Browser', group: 'Device' },
  browserVersion: { label: 'Browser version', group: 'Device' },
  os: { label: 'System', group: 'Device' },
  osVersion: { label: 'System version', group: 'Device' },
  device: { label: 'Device', group: 'Device', isCoded: true },
  screenSize: { label: 'Screen size', group: 'Device' },
  event: { label: 'Event', group: 'Event' },
  parameterName: { label: 'Event parameter', group: 'Event' },
  parameterValue: { label: 'Parameter value', group: 'Event' },
  visitorType: { label: 'New or returning', group: 'Visitor', isCoded: true },
  hour: { label: 'Hour of the day', group: 'Visitor', isCoded: true },
  weekday: { label: 'Day of the week', group: 'Visitor', isCoded: true },
};

/** Whether the dimension has separate values for each name, such as the values of a parameter. */
export const hasNames = (name: DimensionName): boolean => namedDimensions.includes(name);

export const dimensionNames = Object.keys(dimensions) as DimensionName[];
