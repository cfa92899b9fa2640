import type { RecentRequest } from '#api/shapes.ts';
import type { Format } from './create-format.ts';
import { showValue } from './show-value.ts';

type Understood = NonNullable<RecentRequest['understood']>;
type RequestFormat = Pick<Format, 'country' | 'count' | 'words'>;

/** Describes a request in one line: page view · /pricing · Firefox, Germany, Google */
export function describeRequest(request: RecentRequest, format: RequestFormat): string {
  const understood = request.understood && toReadable(request.understood);
  const words = format.words.request;
  if (request.isRepeat) return `${request.kind === 'event' ? words.event : words.pageView} · ${words.repeat}`;
  if (request.code !== 200 || understood === null) return request.message;
  const parts =
    understood.event === null
      ? [words.pageView, understood.page]
      : [words.event, understood.event, spellParameters(understood.parameters, format)];
  const about = [
    understood.bot ?? understood.browser,
    format.country(understood.country),
    understood.source,
  ].filter((part) => part !== '');
  return [...parts, about.join(', ')].filter((part) => part !== '').join(' · ');
}

export type Fact = { name: string; value: string };

/** Lists what Trackside understood of a record, so that somebody can check it. */
export function listFacts(understood: Understood, format: RequestFormat): Fact[] {
  const { event, parameters, page, browser, os, country, source, bot, hasClientId } = toReadable(understood);
  const words = format.words.request;
  const { facts } = words;
  const nameBrowser = () => (os === '' ? browser : words.browserOn(browser, os));
  return [
    ...(event === null
      ? []
      : [
          {
            name: facts.event,
            // With a mark, because a number would go along with right-to-left letters before it.
            value: [event, spellParameters(parameters, format)].filter(Boolean).join('\u200e, '),
          },
        ]),
    { name: facts.page, value: page },
    { name: facts.browser, value: browser === '' ? words.unknown : nameBrowser() },
    { name: facts.country, value: country === '' ? words.notSent : format.country(country) },
    { name: facts.source, value: source === '' ? words.direct : source },
    { name: facts.visitor, value: bot === null ? words.person : words.bot(bot) },
    { name: facts.clientId, value: hasClientId ? words.clientIdKept : words.notSent },
  ];
}

/** Its texts were chosen by others. */
const toReadable = (understood: Understood): Understood => ({
  ...understood,
  page: showValue('page', understood.page),
  event: understood.event && showValue('event', understood.event),
  source: showValue('source', understood.source),
});

const spellParameters = (count: number, format: RequestFormat) =>
  count === 0 ? '' : format.count(count, format.words.request.parameters);
