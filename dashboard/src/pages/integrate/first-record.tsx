import { useRecentRequests } from '#api/use-recent-requests.ts';
import { Ago } from '#design/display/ago.tsx';
import { Banner } from '#design/display/banner.tsx';
import { listFacts } from '#format/describe-request.ts';
import { useFormat } from '#format/format-context.tsx';
import './first-record.css';

/** Waits for a record and then shows what Trackside understood of it. */
export function FirstRecord({ websiteId }: { websiteId: number }) {
  const { requests } = useRecentRequests(websiteId);
  const accepted = requests?.find(({ code, understood }) => code === 200 && understood !== null);
  const latest = requests?.[0];
  return (
    <div class="first" aria-live="polite">
      {accepted?.understood ? (
        <Record at={accepted.at} understood={accepted.understood} />
      ) : (
        <p class="first-line">
          <i class="pulse" />
          Waiting for the first record
        </p>
      )}
      {latest !== undefined && latest.code !== 200 && (
        <Banner kind="bad">
          A request came <Ago at={latest.at} />, and was refused with {latest.code}: {latest.message}
        </Banner>
      )}
    </div>
  );
}

type Props = { at: string; understood: Parameters<typeof listFacts>[0] };

function Record({ at, understood }: Props) {
  const format = useFormat();
  return (
    <>
      <p class="first-line">
        <i class="pulse pulse-steady" />
        <span>
          <b>{understood.event === null ? 'A page view' : 'An event'} arrived</b>{' '}
          <span class="faint">
            <Ago at={at} />
          </span>
        </span>
      </p>
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
    </>
  );
}
