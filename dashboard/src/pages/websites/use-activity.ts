import { useRef } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Fault } from '#api/fault.ts';
import type { Activity } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';

const minuteMs = 60_000;

/**
 * The visitors of a website, kept up to date while it is on the screen. Nothing is asked about a website that
 * isn't, because there may be a thousand of them.
 */
export function useActivity(id: number, isSeen: boolean): { value?: Activity; fault?: Fault } {
  const api = useApi();
  const last = useRef<Activity>(undefined);
  const { value, fault } = useResource(
    isSeen ? `activity ${id}` : '',
    (signal) => (isSeen ? api.activity(id, signal) : new Promise<never>(() => {})),
    isSeen ? minuteMs : undefined,
  );
  last.current = value ?? last.current;
  return {
    ...(last.current !== undefined && { value: last.current }),
    ...(fault !== undefined && { fault }),
  };
}
