const metrics = {
  Browser: {
    IP: '203.0.113.7',
    UserAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  },
  Identify: { ClientId: 'customer-1815' },
  Language: { Code: 'de' },
  Page: { Absolute: 'https://shop.example/pricing?plan=team' },
  Referrer: { Absolute: 'https://www.example.org/best-shops' },
  Screen: { Height: 1080, Width: 1920 },
  Location: {
    ContinentCode: 'EU',
    CountryCode: 'DE',
    City: 'Berlin',
    PostalCode: '10115',
    Region: 'Land Berlin',
    RegionCode: 'BE',
    Timezone: 'Europe/Berlin',
  },
};

const event = {
  Metrics: metrics,
  Name: 'Purchase',
  Parameters: [
    { Name: 'plan', Value: 'team' },
    { Name: 'seats', Value: '5' },
  ],
};
const success = { Code: 200, Message: 'Success' };

/** An example of each body, for the OpenAPI document. */
export const trackingExamples = {
  PageView: { Metrics: metrics },
  Event: event,
  Answer: success,
  RecordBatch: {
    Records: [{ Metrics: metrics, IdempotencyKey: '8a6e0804-2bd0-4672-b79d-d97027f9071a' }, event],
  },
  RecordBatchAnswer: { ...success, Results: [success, success] },
  Receipt: { Code: 200, Message: 'The record is in the store', State: 'stored', Day: '2026-11-17' },
};
