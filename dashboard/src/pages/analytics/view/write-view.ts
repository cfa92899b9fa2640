import { writeFilter } from './filter-text.ts';
import { usualView, type View } from './view.ts';

const ours = new Set(['period', 'compare', 'interval', 'metric', 'f']);

/** The search part of a view's address. What is as usual is not said; what else is in `search` stays. */
export function writeView(view: View, search = ''): string {
  const { period, compare, interval, metric, filters } = view;
  const others = [...new URLSearchParams(search)].filter(([name]) => !ours.has(name));
  const said: [string, string][] = [];
  if (typeof period === 'object') said.push(['period', `${period.from}..${period.to}`]);
  else if (period !== usualView.period) said.push(['period', period]);
  if (compare !== usualView.compare) said.push(['compare', compare]);
  if (interval !== undefined) said.push(['interval', interval]);
  if (metric !== usualView.metric) said.push(['metric', metric]);
  for (const filter of filters) said.push(['f', writeFilter(filter)]);
  const text = [...said, ...others].map((pair) => pair.map(encode).join('=')).join('&');
  return text === '' ? '' : `?${text}`;
}

/** As people can read it: what an address may have in its search part stays as it is. */
const encode = (text: string) =>
  encodeURIComponent(text.toWellFormed())
    .replace(/%(?:3A|2F|2C|40)/g, decodeURIComponent)
    .replaceAll('%20', '+');
