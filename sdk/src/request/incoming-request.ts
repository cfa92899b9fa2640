/** A request as every adapter presents it, whatever its framework. */
export type IncomingRequest = {
  method: string;
  /** Scheme and host as the server sees them without a proxy, and the path with its query. */
  url: URL;
  /**
   * The value of a header by its lower-case name; of one that came several times, all of them joined by ", ".
   */
  header(name: string): string | undefined;
  /** The address at the other end of the connection, where the runtime tells it. */
  peer: string | undefined;
};

/**
 * A request with a body that can still be read. `readText` resolves to undefined when it is longer than that.
 */
export type IncomingRecord = IncomingRequest & { readText(maxBytes: number): Promise<string | undefined> };

export type HandlerAnswer = { status: number; headers: Record<string, string>; body: string };
