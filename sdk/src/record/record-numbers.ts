const streamBytes = 12;

/**
 * Numbers the records of one client in the order in which they are handed over. The stream's name is random and
 * new with each client, so it says nothing about a machine or a visitor.
 */
export class RecordNumbers {
  #stream: string | undefined;
  #last = 0;

  /** Returns the stream and the next number, such as `5mQ1v_0hPz-kT3aX.17`. */
  take(): string {
    // Not before the first record: some edge runtimes have no random numbers while a program is loaded, and
    // processes that continue from a copy of one memory must not share a stream.
    this.#stream ??= nameStream();
    this.#last += 1;
    return `${this.#stream}.${this.#last}`;
  }
}

function nameStream(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(streamBytes));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
