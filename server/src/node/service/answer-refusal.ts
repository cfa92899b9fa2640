import type { ServerResponse } from 'node:http';

/** An answer that ClickHouse's clients read like one of ClickHouse itself. */
export type Refusal = { status: number; code: number; type: string; says: string };

export function tooLarge(maxBytes: number): Refusal {
  const says = `expected a body of at most ${maxBytes} bytes, got a longer one`;
  return { status: 413, code: 36, type: 'BAD_ARGUMENTS', says };
}

export function answerRefusal(response: ServerResponse, { status, code, type, says }: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(code),
    // The body may still be arriving, and nobody reads it.
    Connection: 'close',
    ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="Trackside engine"' }),
  });
  response.end(`Code: ${code}. DB::Exception: ${says}. (${type})\n`);
}
