import http from 'node:http';
import https from 'node:https';
import type { Exchange, ServerAnswer } from './exchange.ts';

/**
 * Creates an exchange with Node's own client, on connections that are kept. It takes about a quarter of the
 * processor time of Node's fetch, which is most of what a record costs the program that sends it. A redirect
 * is an answer like any other here.
 */
export function createHttpExchange(): Exchange {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };
  return ({ url, headers, body, maxAnswerBytes }, signal) =>
    new Promise<ServerAnswer>((resolve, reject) => {
      const isPlain = url.startsWith('http:');
      const request = (isPlain ? http : https).request(url, {
        method: 'POST',
        signal,
        agent: agents[isPlain ? 'http:' : 'https:'],
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      });
      request.on('error', reject);
      request.on('response', (response) => {
        readStart(response, maxAnswerBytes).then((text) => {
          const header = (name: string) => [response.headers[name]].flat()[0];
          resolve({ status: response.statusCode ?? 0, header, text });
        }, reject);
      });
      request.end(body);
    });
}

function readStart(response: http.IncomingMessage, maxAnswerBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maxAnswerBytes) return;
      resolve('');
      response.destroy();
    });
    response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    response.on('error', reject);
  });
}
