/** Sends one request with whatever the runtime has for it. Rejects if there is no complete answer. */
export type Exchange = (request: OutgoingRequest, signal: AbortSignal) => Promise<ServerAnswer>;

export type OutgoingRequest = { url: string; headers: Record<string, string>; body: string };

export type ServerAnswer = {
  status: number;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Empty if it is longer than any answer of Trackside. */
  text: string;
};

/** Answers of Trackside have some hundred bytes, and nothing is needed from a proxy's page. */
export const maxAnswerBytes = 16 * 1024;
