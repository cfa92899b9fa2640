/** What a program sends. */
export type Sent = 'page view' | 'event';
