import { type DimensionName, namedDimensions } from '@trackside/contract/stats/dimensions.ts';

export type DimensionGroup = 'page' | 'source' | 'location' | 'device' | 'event' | 'visitor';

type About = {
  group: DimensionGroup;
  /** The values are codes, and people search for their names. */
  isCoded?: true;
};

/** The dimensions to filter by, in the order in which they are offered. */
export const dimensions: Readonly<Record<DimensionName, About>> = {
  page: { group: 'page' },
  entryPage: { group: 'page' },
  exitPage: { group: 'page' },
  host: { group: 'page' },
  queryParameter: { group: 'page' },
  source: { group: 'source' },
  channel: { group: 'source', isCoded: true },
  referrer: { group: 'source' },
  utmSource: { group: 'source' },
  utmMedium: { group: 'source' },
  utmCampaign: { group: 'source' },
  utmTerm: { group: 'source' },
  utmContent: { group: 'source' },
  country: { group: 'location', isCoded: true },
  region: { group: 'location' },
  regionCode: { group: 'location' },
  city: { group: 'location' },
  postalCode: { group: 'location' },
  continent: { group: 'location', isCoded: true },
  language: { group: 'location', isCoded: true },
  timezone: { group: 'location' },
  browser: { group: 'device' },
  browserVersion: { group: 'device' },
  os: { group: 'device' },
  osVersion: { group: 'device' },
  device: { group: 'device', isCoded: true },
  screenSize: { group: 'device' },
  event: { group: 'event' },
  parameterName: { group: 'event' },
  parameterValue: { group: 'event' },
  visitorType: { group: 'visitor', isCoded: true },
  hour: { group: 'visitor', isCoded: true },
  weekday: { group: 'visitor', isCoded: true },
};

/** Whether the dimension has separate values for each name, such as the values of a parameter. */
export const hasNames = (name: DimensionName): boolean => namedDimensions.includes(name);

export const dimensionNames = Object.keys(dimensions) as DimensionName[];
