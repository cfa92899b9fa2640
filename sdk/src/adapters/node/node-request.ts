import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { IncomingRecord, IncomingRequest } from '../../request/incoming-request.ts';
import { readNodeBody } from './read-node-body.ts';

export type NodeRequest = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

const hostText = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/**
 * Converts a request. `target` is the path with its query as the client wrote it. The address of the other
 * side is read now, because it is gone once the client is.
 */
export function toIncomingRequest(req: NodeRequest, target: string): IncomingRequest {
  const { peer, isEncrypted } = readConnection(req);
  let url: URL | undefined;
  const header = (name: string) => {
    const value = req.headers[name] ?? (name === 'host' ? req.headers[':authority'] : undefined);
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return {
    method: req.method ?? 'GET',
    // Created on demand, because most requests that pass by never need it.
    get url() {
      url ??= makeUrl(isEncrypted ? 'https' : 'http', header('host'), target);
      return url;
    },
    header,
    peer,
  };
}

export function toIncomingRecord(req: NodeRequest, target: string): IncomingRecord {
  const readText = (maxBytes: number) => readNodeBody(req, maxBytes);
  return Object.assign(toIncomingRequest(req, target), { readText });
}

/** Returns the path of a request's target, without its query. */
export function pathOf(target: string | undefined): string {
  if (target === undefined) return '';
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

function readConnection(req: NodeRequest): { peer: string | undefined; isEncrypted: boolean } {
  try {
    const { socket } = req;
    return {
      peer: socket.remoteAddress || undefined,
      isEncrypted: 'encrypted' in socket && !!socket.encrypted,
    };
  } catch {
    // HTTP/2's socket object throws once its session is over.
    return { peer: undefined, isEncrypted: false };
  }
}

/**
 * Makes the URL of a request. Clients can put anything into Host and target; the path stays a path and the
 * host stays a host.
 */
function makeUrl(scheme: string, host: string | undefined, target: string): URL {
  const path = target.startsWith('/') ? target : pathOfAbsolute(target);
  try {
    return new URL(`${scheme}://${hostText.test(host ?? '') ? host : 'localhost'}${path}`);
  } catch {
    return new URL(`${scheme}://localhost${path}`);
  }
}

function pathOfAbsolute(target: string): string {
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname.startsWith('/') ? `${pathname}${search}` : '/';
}
