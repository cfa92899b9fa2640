import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export type TestRequest = {
  method?: string;
  path?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
};
export type TestAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

/** Sends one request on its own connection, with only these headers, Host and the length. */
export function send(
  port: number,
  { method = 'GET', path = '/', headers = {}, body }: TestRequest,
): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const length =
      body === undefined || 'Transfer-Encoding' in headers
        ? {}
        : { 'Content-Length': Buffer.byteLength(body) };
    const sent = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      agent: false,
      headers: { ...length, ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: text }),
      );
    });
    sent.end(body);
  });
}

export const collected = {
  ScreenWidth: 1920,
  ScreenHeight: 1080,
  Language: 'en-US',
  Referrer: 'https://search.example/?q=shoes',
  Absolute: 'https://shop.example/shoes?size=42',
};

/**
 * Returns a request as a browser on https://shop.example sends it, through a server or proxy that keeps the
 * host.
 */
export function browserPost(body: unknown, headers: OutgoingHttpHeaders = {}): TestRequest {
  return {
    method: 'POST',
    path: '/side',
    headers: {
      Host: 'shop.example',
      Origin: 'https://shop.example',
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'text/plain;charset=UTF-8',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
