import { createUseWords } from '#words/words-context.ts';

export const liveWords = {
  title: 'Live',
  titleNow: (count: string) => `${count} now`,
  now: 'Now',
  visitorsNow: { one: 'visitor now', other: 'visitors now' },
  seen: 'Active in the last 5 minutes',
  lastHalfHour: 'Last 30 minutes',
  visitors: { one: '# visitor', other: '# visitors' },
  pageViews: { one: '# page view', other: '# page views' },
  thisMinute: (visitors: string, pageViews: string) => `This minute: ${visitors}, ${pageViews}`,
  minutesAgo: (minutes: string, visitors: string, pageViews: string) =>
    `${minutes} min ago: ${visitors}, ${pageViews}`,
  chart: (peak: string) => `Visitors in each of the last 30 minutes. Peak: ${peak} per minute`,
  axisFrom: '30 min ago',
  axisTo: 'now',
  peak: (count: string) => `Peak: ${count} per minute`,
  away: 'No live data right now. Records are still accepted, and this page resumes on its own.',
  nobody: 'Nobody here right now',
  nobodyAbout: 'New visitors appear here right away.',
  latest: 'Latest activity',
  noLatest: 'No activity in the last 30 minutes',
  from: (source: string) => `from ${source}`,
  pages: 'Pages',
  page: 'Page',
  sources: 'Sources',
  source: 'Source',
  countries: 'Countries',
  country: 'Country',
  unit: 'Visitors',
};

export type LiveWords = typeof liveWords;

export const useLiveWords = createUseWords('live', liveWords);
