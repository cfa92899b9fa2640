import type { RecentRequest } from '#api/shapes.ts';
import { VisitorText } from '#design/display/visitor-text.tsx';
import { describeRequest } from '#format/describe-request.ts';
import { useFormat } from '#format/format-context.tsx';
import { useAccessWords } from '../access-words.ts';
import { ShapeView } from './shape-view.tsx';

/** One request. A refused one can be expanded to show its fields with all values masked. */
export function RequestRow({ request }: { request: RecentRequest }) {
  const { requests: words } = useAccessWords();
  const format = useFormat();
  const { at, code, shape } = request;
  // The parts are isolated from each other, because some of them were chosen by others.
  const parts = describeRequest(request, format).split(' · ');
  const line = (
    <>
      <time class="faint" dateTime={at} title={format.dayAndHour(at)}>
        {format.clock(at)}
      </time>
      <span class="request-code" data-good={code === 200}>
        {code}
      </span>
      <span class="request-text">
        {parts.flatMap((part, index) => [index > 0 && ' · ', <VisitorText text={part} />])}
      </span>
    </>
  );
  if (code === 200 || shape === null || shape === undefined)
    return <li class="request request-line">{line}</li>;
  return (
    <li class="request">
      <details>
        <summary class="request-line">{line}</summary>
        <p class="faint small request-note">{words.received}</p>
        <ShapeView shape={shape} />
      </details>
    </li>
  );
}
