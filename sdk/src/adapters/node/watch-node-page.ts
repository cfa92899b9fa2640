import type { OutgoingHttpHeader } from 'node:http';
import type { PageCounter } from '../../handler/create-page-counter.ts';
import { type NodeRequest, type NodeResponse, toIncomingRequest } from './node-request.ts';

/** Counts the page once the answer to this request is sent, if it turns out to be a page. */
export function watchNodePage<R>(
  counter: PageCounter<R>,
  req: NodeRequest,
  res: NodeResponse,
  target: string,
  original: R,
): void {
  if (req.method !== 'GET') return;
  const request = toIncomingRequest(req, target);
  if (!counter.isCandidate(request)) return;
  const readContentType = watchContentType(res);
  res.once('finish', () => {
    counter.count(request, { status: res.statusCode, contentType: readContentType() }, original);
  });
}

type WriteHead = (...given: unknown[]) => unknown;

/** Watches writeHead, because headers that are passed to it directly cannot be read anywhere else. */
function watchContentType(res: NodeResponse): () => string | undefined {
  const target = res as { writeHead: unknown };
  const writeHead = target.writeHead as WriteHead;
  let direct: string | undefined;
  target.writeHead = function (this: NodeResponse, ...given: unknown[]): unknown {
    direct = findContentType(given.at(-1));
    return writeHead.apply(this, given);
  };
  return () => direct ?? toText(res.getHeader('content-type'));
}

/** Finds the type in an object, in a list of names and values, or in a list of pairs. */
function findContentType(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const list = Array.isArray(headers) ? headers.flat() : Object.entries(headers).flat();
  for (let at = 0; at + 1 < list.length; at += 2) {
    if (String(list[at]).toLowerCase() === 'content-type') return toText(list[at + 1]);
  }
  return undefined;
}

function toText(value: OutgoingHttpHeader | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
