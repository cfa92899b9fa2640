import type { Location } from '../record/metrics.ts';
import type { IncomingRequest } from '../request/incoming-request.ts';

/** Returns where a visitor is, as far as it knows. */
export type LocationSource = (
  request: IncomingRequest,
  ip: string,
) => Location | undefined | Promise<Location | undefined>;
