import { useNow } from '#browser/use-now.ts';
import { useFormat } from '#format/format-context.tsx';

/** How long ago something happened. Hovering shows the exact time. */
export function Ago({ at }: { at: string }) {
  const format = useFormat();
  const nowMs = useNow(5_000);
  return (
    <time dateTime={at} title={format.dayAndHour(at)}>
      {format.ago(at, nowMs)}
    </time>
  );
}
