/** A stream of server-sent events, as a browser's EventSource would report it. */
export type Events = Awaited<ReturnType<typeof openEvents>>;

// biome-ignore lint/suspicious/noExplicitAny: tests check answers of any shape
type Came = { event: string; data: any };

export async function openEvents(address: string, headers: Record<string, string> = {}) {
  const leave = new AbortController();
  const response = await fetch(address, { headers, signal: leave.signal });
  const events: Came[] = [];
  let text = '';
  let isOpen = response.ok;

  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true });
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const found = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end));
        if (found !== null) events.push({ event: found[1]!, data: JSON.parse(found[2]!) });
        text = text.slice(end + 2);
      }
    }
  }
  if (isOpen)
    void read()
      .catch(() => {})
      .finally(() => {
        isOpen = false;
      });

  return {
    status: response.status,
    headers: response.headers,
    events,
    body: async () => (await response.json()) as { code: number; message: string },
    scenes: () => events.filter(({ event }) => event === 'scene').map(({ data }) => data),
    isOpen: () => isOpen,
    close: () => leave.abort(),
  };
}
