/** A browser's side of the settings API, without a browser: keeps the cookie, names its origin. */
export type AppClient = ReturnType<typeof createAppClient>;

// biome-ignore lint/suspicious/noExplicitAny: what came is what the tests look at
type Came = any;
type Options = { body?: unknown; headers?: Record<string, string | undefined>; text?: string };

export function createAppClient(origin: () => string) {
  let cookie: string | undefined;

  return {
    cookie: () => cookie,
    setCookie: (value: string | undefined) => {
      cookie = value;
    },
    async ask(method: string, path: string, { body, headers, text }: Options = {}) {
      const hasBody = body !== undefined || text !== undefined;
      const all = {
        Origin: origin(),
        ...(hasBody && { 'Content-Type': 'application/json' }),
        ...(cookie !== undefined && { Cookie: cookie }),
        ...headers,
      };
      const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const response = await fetch(`${origin()}${path}`, {
        method,
        redirect: 'manual',
        headers: sent,
        ...(hasBody && { body: text ?? JSON.stringify(body) }),
      });
      const set = response.headers.get('set-cookie');
      if (set !== null) cookie = /Max-Age=0\b/.test(set) ? undefined : set.split(';')[0];
      const came = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      return {
        status: response.status,
        headers: response.headers,
        text: came,
        body: (isJson ? JSON.parse(came) : undefined) as Came,
      };
    },
  };
}
