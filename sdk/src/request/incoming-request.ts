/** A request as every adapter presents it, whatever its framework. */
export type IncomingRequest = {
  method: string;
  /** Scheme and host as the server sees them without a proxy, and the path with its query. */
  url: URL;
  /** Returns the value of a header by its lower-case name. Repeated headers are joined by ", ". */
  header(name: string): string | undefined;
  /** The address of the other side of the connection, if the runtime reveals it. */
  peer: string | undefined;
};

/** A request with a body that can still be read. `readText` resolves to undefined if the body is too long. */
export type IncomingRecord = IncomingRequest & { readText(maxBytes: number): Promise<string | undefined> };

export type HandlerAnswer = { status: number; headers: Record<string, string>; body: string };
