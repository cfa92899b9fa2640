/** Returns a page view's body as a customer's backend sends it. Parts can be replaced. */
export function pageView(changes: Record<string, unknown> = {}) {
  return {
    Metrics: {
      Browser: {
        IP: '203.0.113.7',
        UserAgent:
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      },
      Identify: { ClientId: null },
      Language: { Code: 'de' },
      Page: { Absolute: 'https://www.example.com/pricing?plan=pro' },
      Referrer: { Absolute: 'https://www.google.com/' },
      Screen: { Height: 1080, Width: 1920 },
      Location: {
        ContinentCode: 'EU',
        CountryCode: 'DE',
        City: 'Munich',
        PostalCode: '80331',
        Region: 'Bavaria',
        RegionCode: 'BY',
        Timezone: 'Europe/Berlin',
      },
      ...changes,
    },
  };
}

export function event(
  name: string,
  parameters: { Name: string; Value: string }[],
  changes: Record<string, unknown> = {},
) {
  return { Name: name, Parameters: parameters, ...pageView(changes) };
}

type Result = { Code: number; Message: string; Outcome?: string };
/** `Results` are there in the answer to a batch. */
export type AnswerBody = Omit<Result, 'Outcome'> & { Results?: Result[] };

export async function post(
  origin: string,
  path: string,
  apiKey: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { Authorization: apiKey, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as AnswerBody };
}
