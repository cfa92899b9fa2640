import { type Channel, channelNames } from '@trackside/contract/stats/channels.ts';
import {
  continentNames,
  deviceNames,
  emptyNames,
  visitorTypeNames,
} from '@trackside/contract/stats/value-names.ts';
import { createUseWords } from '#words/words-context.ts';

type ByCode<Code extends string> = Readonly<Record<Code, string>>;

/** The words in formatted values: times, and the names of codes. */
export const formatWords = {
  justNow: 'just now',
  onDay: (day: string) => `on ${day}`,
  /** How short the units of a duration are: 2m 50s, or 2 Min. 50 Sek. */
  unitDisplay: 'narrow' as 'narrow' | 'short',
  unknown: emptyNames.unknown as string,
  /** A source that is empty. */
  direct: emptyNames.source as string,
  /** A parameter without a value. */
  empty: emptyNames.parameterValue as string,
  channels: channelNames as ByCode<Channel>,
  devices: deviceNames,
  continents: continentNames as ByCode<keyof typeof continentNames>,
  visitorTypes: visitorTypeNames as ByCode<keyof typeof visitorTypeNames>,
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
