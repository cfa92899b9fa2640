export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];
