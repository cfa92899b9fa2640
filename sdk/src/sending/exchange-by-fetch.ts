import type { Exchange } from './exchange.ts';

export function createFetchExchange(fetch: typeof globalThis.fetch): Exchange {
  return async ({ url, headers, body, maxAnswerBytes }, signal) => {
    // A redirect is not followed, because the key must not go to an address that the program did not name.
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = await readStart(response, maxAnswerBytes);
    return { status: response.status, header: (name) => response.headers.get(name) ?? undefined, text };
  };
}

async function readStart(response: Response, maxAnswerBytes: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  for (let bytes = 0; bytes <= maxAnswerBytes; ) {
    const { done, value } = await reader.read();
    // The connection can only be reused if the answer is read to its end.
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  reader.cancel().catch(() => {});
  return '';
}
