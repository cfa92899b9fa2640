import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { useRecentRequests } from '#api/use-recent-requests.ts';
import { Ago } from '#design/display/ago.tsx';
import { Banner } from '#design/display/banner.tsx';
import { fill } from '#words/fill.ts';
import { Facts } from './facts.tsx';
import { useIntegrateWords } from './integrate-words.ts';
import './first-record.css';

/** Somebody may have tried it just before they opened this page. */
const beforeMs = 60_000;

/** Waits for a record and then shows what Trackside understood of it. */
export function FirstRecord({ websiteId }: { websiteId: number }) {
  const words = useIntegrateWords();
  const { requests, unauthorized } = useRecentRequests(websiteId);
  const [openedAt] = useState(() => new Date(Date.now() - beforeMs).toISOString());
  const accepted = requests?.find(({ code, understood }) => code === 200 && understood !== null);
  const latest = requests?.[0];
  // Anybody can send one, so only a fresh one that no record followed may be the reader's.
  const isUnknown =
    unauthorized !== undefined && unauthorized.at > openedAt && unauthorized.at > (latest?.at ?? '');
  return (
    <div class="first" aria-live="polite">
      {accepted?.understood ? (
        <Record at={accepted.at} understood={accepted.understood} />
      ) : (
        <p class="first-line">
          <i class="pulse" />
          {words.waiting}
        </p>
      )}
      {isUnknown && (
        <Banner kind="bad">{fill(words.unauthorized, { ago: <Ago at={unauthorized.at} /> })}</Banner>
      )}
      {latest !== undefined && latest.code !== 200 && (
        <Banner kind="bad">
          {fill(words.refused(String(latest.code)), {
            ago: <Ago at={latest.at} />,
            message: <span lang="en">{latest.message}</span>,
          })}
        </Banner>
      )}
    </div>
  );
}

type Props = { at: string; understood: ComponentProps<typeof Facts>['understood'] };

function Record({ at, understood }: Props) {
  const words = useIntegrateWords();
  return (
    <>
      <p class="first-line">
        <i class="pulse pulse-steady" />
        <span>
          <b>{understood.event === null ? words.pageViewArrived : words.eventArrived}</b>{' '}
          <span class="faint">
            <Ago at={at} />
          </span>
        </span>
      </p>
      <Facts understood={understood} />
    </>
  );
}
