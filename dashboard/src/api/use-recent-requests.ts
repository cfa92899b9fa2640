import { useRef, useState } from 'preact/hooks';
import { useApi } from './api-context.ts';
import type { Fault } from './fault.ts';
import type { RecentRequest, UnknownSender } from './shapes.ts';
import { usePolling } from './use-polling.ts';

/** Several requests can arrive in the same millisecond, so each gets a number. */
export type NumberedRequest = RecentRequest & { number: number };

export type RecentRequests = {
  /** The newest request comes first. Undefined until the node has answered. */
  requests: readonly NumberedRequest[] | undefined;
  /** How many requests came too fast to be listed. */
  skipped: number;
  /** How many requests the website's rules excluded. */
  excluded: number;
  /** The last request with an unknown API key, whichever website it was meant for. */
  unauthorized: UnknownSender | undefined;
  fault: Fault | undefined;
};

const maxRequests = 100;

/** Returns the latest requests to the tracking endpoints as they arrive. */
export function useRecentRequests(websiteId: number): RecentRequests {
  const api = useApi();
  const [state, setState] = useState<RecentRequests>({
    requests: undefined,
    skipped: 0,
    excluded: 0,
    unauthorized: undefined,
    fault: undefined,
  });
  const lastNumber = useRef(0);
  usePolling(
    async (signal) => {
      const newest = state.requests?.[0]?.at;
      const answer = await api.requests(websiteId, newest, signal);
      if (!answer.isOk) {
        setState((last) => ({ ...last, fault: answer.fault }));
        return false;
      }
      const { skipped, excluded, unauthorized } = answer.value;
      const requests = answer.value.requests.toReversed().map((request) => {
        lastNumber.current += 1;
        return { ...request, number: lastNumber.current };
      });
      setState((last) => ({
        requests: [...requests.toReversed(), ...(last.requests ?? [])].slice(0, maxRequests),
        skipped,
        excluded,
        unauthorized: unauthorized ?? undefined,
        fault: undefined,
      }));
      return requests.length > 0;
    },
    { everyMs: 2_000, slowestMs: 10_000, subject: String(websiteId) },
  );
  return state;
}
