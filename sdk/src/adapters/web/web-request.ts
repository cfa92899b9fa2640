import type { HandlerAnswer, IncomingRecord, IncomingRequest } from '../../request/incoming-request.ts';

const hostText = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

export function toIncomingRequest(request: Request, peer: string | undefined): IncomingRequest {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  return { method: request.method, url: readUrl(request.url, header('host')), header, peer };
}

export function toIncomingRecord(request: Request, peer: string | undefined): IncomingRecord {
  return {
    ...toIncomingRequest(request, peer),
    readText: (maxBytes) => readBody(request, maxBytes),
  };
}

export function toResponse({ status, headers, body }: HandlerAnswer): Response {
  return new Response(body === '' ? null : body, { status, headers });
}

/** Returns the path of a URL without parsing it, because most requests that pass by are not ours. */
export function pathOf(url: string): string {
  const target = targetOf(url);
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

function targetOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  return start === -1 ? '/' : url.slice(start);
}

/**
 * Reads the URL of a request. Some servers put their own name in it; Host has the name that the client asked
 * for.
 */
function readUrl(text: string, host: string | undefined): URL {
  // Some put a Host in it with which no URL can be made, such as 1.2.3.999.
  const url = new URL(URL.canParse(text) ? text : `http://localhost${targetOf(text)}`);
  if (host === undefined || !hostText.test(host)) return url;
  url.port = '';
  url.host = host;
  return url;
}

async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined;
  if (request.bodyUsed) throw new Error('the body was already read');
  if (request.body === null) return '';
  const reader = request.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
