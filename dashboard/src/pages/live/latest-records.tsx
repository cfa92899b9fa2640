import { useMemo } from 'preact/hooks';
import { Skeleton } from '#design/display/skeleton.tsx';
import { VisitorText } from '#design/display/visitor-text.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useNames } from '#format/names.ts';
import { Flag } from '../analytics/panels/list/flag.tsx';
import { Panel } from '../analytics/panels/panel.tsx';
import { type KeyedRecord, keyLatest, type LatestRecord } from './key-latest.ts';
import { useLiveWords } from './live-words.ts';
import { useArrivals } from './use-arrivals.ts';

const places = Array.from({ length: 12 }, (_, index) => index);

/** The latest page views and events. New ones push the others down. */
export function LatestRecords({ latest }: { latest: readonly LatestRecord[] | undefined }) {
  const words = useLiveWords();
  const keyed = useMemo(() => latest && keyLatest(latest), [latest]);
  const keys = useMemo(() => keyed?.map(({ key }) => key), [keyed]);
  const arrivals = useArrivals(keys);
  return (
    <Panel title={words.latest}>
      {keyed === undefined && places.map((place) => <RecordSkeleton key={place} />)}
      {keyed?.length === 0 && <p class="bar-empty">{words.noLatest}</p>}
      {keyed !== undefined && (
        <ol class="live-latest">
          {keyed.map((record) => (
            <li key={record.key} class={arrivals.has(record.key) ? 'live-record live-new' : 'live-record'}>
              <Record record={record} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Record({ record }: { record: KeyedRecord }) {
  const { at, page, event, country, source, browser, device } = record;
  const words = useLiveWords();
  const format = useFormat();
  const names = useNames();
  const from = [country === '' ? '' : names.country(country), browser, names.device(device)];
  return (
    <div class="live-inside">
      <span class="live-flag">
        <Flag code={country} />
      </span>
      <div class="grow">
        <div class="cut">
          {event !== null && <VisitorText class="live-event" text={names.value('event', event)} />}
          <VisitorText class={event === null ? undefined : 'muted'} text={names.value('page', page)} />
        </div>
        <div class="faint small live-from">
          {[...from, source === '' ? '' : words.from(names.value('source', source))]
            .filter((text) => text !== '')
            .join(', ')}
        </div>
      </div>
      <time class="faint small" dateTime={at}>
        {format.clock(at)}
      </time>
    </div>
  );
}

function RecordSkeleton() {
  return (
    <div class="live-record">
      <div class="live-inside" aria-hidden="true">
        <Skeleton width="18px" height={14} />
        <div class="grow stack-tight">
          <Skeleton width="55%" height={16} />
          <Skeleton width="80%" height={16} />
        </div>
      </div>
    </div>
  );
}
