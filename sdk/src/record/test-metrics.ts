import type { Metrics } from './metrics.ts';

export const testKey = 'tsk_0123456789abcdefghijklmnopqrstuv';
export const testIp = '203.0.113.77';

export function makeMetrics(page = 'https://shop.example/'): Metrics {
  return {
    Browser: { IP: testIp, UserAgent: 'Mozilla/5.0' },
    Identify: { ClientId: null },
    Language: { Code: 'en' },
    Page: { Absolute: page },
    Referrer: { Absolute: null },
    Screen: { Width: 1920, Height: 1080 },
    Location: { CountryCode: 'DE' },
  };
}

/** Returns the page in a body that was sent. */
export function pageOf(body: string): string {
  return JSON.parse(body).Metrics.Page.Absolute;
}
