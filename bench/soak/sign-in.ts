import type { Trackside } from '../ingest/open-trackside.ts';

/** Signs in, and creates a read token for the first website. */
export async function signIn(
  { origin, websiteIds }: Pick<Trackside, 'origin' | 'websiteIds'>,
  user: { email: string; password: string },
): Promise<{ cookie: string; token: string }> {
  const post = async (path: string, body: object, cookie?: string): Promise<Response> => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: origin, ...(cookie && { Cookie: cookie }) },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const session = await post('/api/session', user);
  const cookie = session.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  const made = await post(`/api/websites/${websiteIds[0]}/tokens`, { name: 'soak' }, cookie);
  const { token } = (await made.json()) as { token: string };
  return { cookie, token };
}
