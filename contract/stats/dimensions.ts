import { channelNames } from './channels.ts';

/** The dimensions that numbers can be split and filtered by, and what each value means. */
export const dimensions = {
  page: 'path of the page',
  entryPage: 'path of the first page view of the visit',
  exitPage: 'path of the last page view of the visit',
  host: 'host of the page',
  queryParameter: 'name of a parameter in the URL; "of" a name: its values',
  source: 'where the visit came from; empty when direct or when nothing tells it',
  channel: `how the visitor arrived: ${Object.keys(channelNames).join(', ')}`,
  referrer: 'URL that the visit came from',
  utmSource: 'campaign tag utm_source',
  utmMedium: 'campaign tag utm_medium',
  utmCampaign: 'campaign tag utm_campaign',
  utmTerm: 'campaign tag utm_term',
  utmContent: 'campaign tag utm_content',
  continent: 'code of the continent',
  country: 'ISO 3166-1 code of the country',
  region: 'region',
  regionCode: 'code of the region',
  city: 'city',
  postalCode: 'postal code',
  language: 'ISO 639-1 code of the language',
  timezone: 'timezone of the visitor',
  browser: 'browser',
  browserVersion: 'browser and its version',
  os: 'operating system',
  osVersion: 'operating system and its version',
  device: 'class of device',
  screenSize: 'screen size in pixels, width × height',
  event: 'name of the event',
  parameterName: 'name of an event parameter',
  parameterValue: 'value of an event parameter; "of" a name: of that parameter only',
  hour: 'hour of the day in the local time of the website, 00 to 23',
  weekday: 'day of the week, 1 (Monday) to 7',
  visitorType: 'new or returning, for visitors with a ClientId: new on the first day on which they were seen',
} as const;

export type DimensionName = keyof typeof dimensions;

/** A record can have any number of values of these. A question can have at most one such dimension. */
export const listDimensions: readonly DimensionName[] = ['queryParameter', 'parameterName', 'parameterValue'];

/** Questions can ask "of" one name for these. */
export const namedDimensions: readonly DimensionName[] = ['queryParameter', 'parameterValue'];

/** The dimensions that records of bots are counted by. */
export const botDimensions = ['bot', 'page', 'host', 'day'] as const;
export type BotDimension = (typeof botDimensions)[number];
