/** One request and its answer, by whatever the runtime has for it. Rejects when there is no whole answer. */
export type Exchange = (request: OutgoingRequest, signal: AbortSignal) => Promise<ServerAnswer>;

export type OutgoingRequest = { url: string; headers: Record<string, string>; body: string };

export type ServerAnswer = {
  status: number;
  /** By its lower-case name. */
  header(name: string): string | undefined;
  /** Empty when it is longer than any of ours. */
  text: string;
};

/** Our answers have some hundred bytes; of a proxy's page nothing is needed. */
export const maxAnswerBytes = 16 * 1024;
