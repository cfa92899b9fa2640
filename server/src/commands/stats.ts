import { createLocalTime } from '../core/local-time.ts';
import { countRecords } from '../stats/count-records.ts';
import { parsePeriod } from '../stats/parse-period.ts';
import { type Command, CommandError } from './command.ts';
import { withControl } from './with-control.ts';
import { withStore } from './with-store.ts';

export const statsCommand: Command = {
  usage: 'stats DOMAIN [--period 30d]',
  help:
    'Counts page views, events and visitors of a website. The period is a number of days up to today, in the\n' +
    "website's own timezone (default: 30d). Bots are counted apart.",
  words: { min: 1, max: 1 },
  flags: { period: { type: 'string', help: 'days up to today, such as 7d (default: 30d)' } },
  async run(input) {
    const { clock, words, flags } = input;
    const website = await withControl(input, (control) => control.websites.find(words[0]!));
    if (website === undefined) {
      throw new CommandError(`${words[0]}: there is no such website. \`trackside website list\` shows them.`);
    }
    const today = createLocalTime(website.timezone)(clock.now()).day;
    const text = typeof flags.period === 'string' ? flags.period : '30d';
    const period = parsePeriod(text, today);
    if (period === undefined)
      throw new CommandError(`--period: expected a number of days such as 30d, got "${text}"`);
    const counts = await withStore(input, (store) => countRecords(store, website.id, period));
    const json = { website: website.domain, timezone: website.timezone, period, ...counts };
    const line = (label: string, value: number) =>
      `${label.padEnd(14)}${value.toLocaleString('en-US').padStart(12)}`;
    return {
      json,
      text: [
        `${website.domain}, ${period.from} to ${period.to} (${website.timezone})`,
        '',
        line('page views', counts.pageViews),
        line('events', counts.events),
        line('visitors', counts.visitors),
        line('bot records', counts.botRecords),
      ].join('\n'),
    };
  },
};
