/** Device classes. The list is closed, so that the dashboard has an icon for each. */
export const devices = ['desktop', 'mobile', 'tablet', 'tv', 'console', 'unknown'] as const;

export type Device = (typeof devices)[number];
