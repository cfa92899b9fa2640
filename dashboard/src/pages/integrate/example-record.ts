/** Returns the body of a page view to start from. Its address is one for documentation. */
export function exampleRecord(domain: string): string {
  return JSON.stringify(
    {
      Metrics: {
        Browser: { IP: '203.0.113.7', UserAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' },
        Identify: { ClientId: null },
        Language: { Code: 'en' },
        Page: { Absolute: `https://${domain}/pricing?utm_source=newsletter` },
        Referrer: { Absolute: null },
        Screen: { Width: 1920, Height: 1080 },
        Location: { CountryCode: 'DE' },
      },
    },
    undefined,
    2,
  );
}

/** Only an event has a name. What isn't JSON is refused either way. */
export function kindOfRecord(body: string): 'page_view' | 'event' {
  try {
    return 'Name' in JSON.parse(body) ? 'event' : 'page_view';
  } catch {
    return 'page_view';
  }
}
