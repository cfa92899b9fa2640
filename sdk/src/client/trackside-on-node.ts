import { createHttpExchange } from '../sending/exchange-by-http.ts';
import type { TracksideOptions } from './options/trackside-options.ts';
import { TracksideClient } from './trackside-client.ts';

/**
 * The client for Node, which the package exports to programs that run there. Its types are those of
 * `trackside.ts`.
 */
export class Trackside extends TracksideClient {
  /** A function is called for the options when they are first needed. */
  constructor(options: TracksideOptions | (() => TracksideOptions)) {
    super(options, createHttpExchange());
  }
}
