import { type Channel, channelNames } from '@trackside/contract/stats/channels.ts';
import { createUseWords } from '#words/words-context.ts';

type ByCode<Code extends string> = Readonly<Record<Code, string>>;

/** The words in formatted values: times, and the names of codes. */
export const formatWords = {
  justNow: 'just now',
  onDay: (day: string) => `on ${day}`,
  unknown: 'Unknown',
  /** A source that is empty. */
  direct: 'Direct',
  /** A parameter without a value. */
  empty: 'Empty',
  channels: channelNames as ByCode<Channel>,
  devices: {
    desktop: 'Desktop',
    mobile: 'Phone',
    tablet: 'Tablet',
    tv: 'TV',
    console: 'Game console',
    unknown: 'Unknown',
  },
  continents: {
    AF: 'Africa',
    AN: 'Antarctica',
    AS: 'Asia',
    EU: 'Europe',
    NA: 'North America',
    OC: 'Oceania',
    SA: 'South America',
  },
  visitorTypes: { new: 'New', returning: 'Returning' },
  /** A request to the tracking interface, and what was understood of it. */
  request: {
    pageView: 'page view',
    event: 'event',
    repeat: 'repeated with its Idempotency-Key, counted once',
    parameters: { one: '# parameter', other: '# parameters' },
    facts: {
      event: 'Event',
      page: 'Page',
      browser: 'Browser',
      country: 'Country',
      source: 'Source',
      visitor: 'Visitor',
      clientId: 'ClientId',
    },
    unknown: 'Unknown',
    notSent: 'Not sent',
    direct: 'Direct',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    person: 'Person',
    bot: (name: string) => `Bot: ${name}`,
    clientIdKept: 'Sent (only its hash is kept)',
  },
};

export type FormatWords = typeof formatWords;

export const useFormatWords = createUseWords('format', formatWords);
