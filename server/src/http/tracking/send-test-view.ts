import type { Tracking } from './create-tracking.ts';

type TestView = { apiKey: string; domain: string; userAgent: string; language: string };

/** A page that is easy to recognize among those of the website. */
const testPath = '/trackside-test';
/** An address for documentation, which no visitor has. */
const testAddress = '192.0.2.1';

/**
 * Sends a page view as a backend would, with the website's API key and through every step that a record from
 * outside takes. Returns the answer that a backend would get.
 */
export function sendTestView(
  tracking: Pick<Tracking, 'open' | 'canOpenLater' | 'openLater' | 'take' | 'refuse'>,
  { apiKey, domain, userAgent, language }: TestView,
): Promise<{ code: number; message: string }> {
  const body = {
    Metrics: {
      Browser: { IP: testAddress, UserAgent: userAgent },
      Identify: { ClientId: null },
      Language: { Code: language },
      Location: { CountryCode: null },
      Page: { Absolute: `https://${domain}${testPath}` },
      Referrer: { Absolute: null },
      Screen: { Width: 1280, Height: 720 },
    },
  };
  return new Promise((resolve) => {
    const reply = {
      success: () => resolve({ code: 200, message: 'Success' }),
      other: (code: number, _headers: readonly string[], text: string) =>
        resolve({ code, message: String(JSON.parse(text).Message) }),
    };
    const headers = { authorization: apiKey, idempotencyKey: undefined };
    const goOn = (opened: ReturnType<Tracking['open']>) => {
      if ('refused' in opened) tracking.refuse(opened, 'page_view', opened, reply);
      else tracking.take(opened, Buffer.from(JSON.stringify(body)), reply);
    };
    const open = () => tracking.open('page_view', headers);
    const opened = open();
    if (tracking.canOpenLater(opened, headers)) tracking.openLater(open, headers).then(goOn);
    else goOn(opened);
  });
}
