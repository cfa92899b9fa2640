/** How much later than it happened a record may come, at most. The setting can only be lower. */
export const maxLateHours = 72;

const hourMs = 3_600_000;

export const maxLateMs = maxLateHours * hourMs;
/**
 * How many days before the UTC day of its arrival a record can count on, at most. Timezones and the time that
 * it waited add up.
 */
export const maxDaysBefore = 1 + maxLateHours / 24;
