import { listFacts } from '#format/describe-request.ts';
import { useFormat } from '#format/format-context.tsx';

/** Lists what Trackside understood of a record. */
export function Facts({ understood }: { understood: Parameters<typeof listFacts>[0] }) {
  const format = useFormat();
  return (
    <dl class="facts">
      {listFacts(understood, format).map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="cut" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
