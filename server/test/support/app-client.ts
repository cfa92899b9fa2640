import { checkFetchedAnswers } from './check-fetched-answers.ts';

/** A browser's side of the settings API, without a browser: it keeps cookies and sends its origin. */
export type AppClient = ReturnType<typeof createAppClient>;

// biome-ignore lint/suspicious/noExplicitAny: tests check answers of any shape
type Came = any;
type Options = { body?: unknown; headers?: Record<string, string | undefined>; text?: string };

export function createAppClient(origin: () => string) {
  checkFetchedAnswers();
  /** The cookies of the session and of the device. */
  let cookie: string | undefined;
  let device: string | undefined;

  function keep(set: string): void {
    const pair = /Max-Age=0\b/.test(set) ? undefined : set.split(';')[0];
    if (/^(__Host-)?trackside_device=/.test(set)) device = pair;
    else cookie = pair;
  }

  return {
    cookie: () => cookie,
    setCookie: (value: string | undefined) => {
      cookie = value;
    },
    device: () => device,
    setDevice: (value: string | undefined) => {
      device = value;
    },
    async ask(method: string, path: string, { body, headers, text }: Options = {}) {
      const hasBody = body !== undefined || text !== undefined;
      const all = {
        Origin: origin(),
        ...(hasBody && { 'Content-Type': 'application/json' }),
        Cookie: [cookie, device].filter((pair) => pair !== undefined).join('; ') || undefined,
        ...headers,
      };
      const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const response = await fetch(`${origin()}${path}`, {
        method,
        redirect: 'manual',
        headers: sent,
        ...(hasBody && { body: text ?? JSON.stringify(body) }),
      });
      response.headers.getSetCookie().forEach(keep);
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
