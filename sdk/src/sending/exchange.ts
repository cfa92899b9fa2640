/** Sends one request with whatever the runtime has for it. Rejects if there is no complete answer. */
export type Exchange = (request: OutgoingRequest, signal: AbortSignal) => Promise<ServerAnswer>;

export type OutgoingRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** A longer answer isn't read to its end. */
  maxAnswerBytes: number;
};

export type ServerAnswer = {
  status: number;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Empty if it is too long. */
  text: string;
};
