import type { LiveState } from '#api/create-live-lines.ts';
import type { LiveScene } from '#api/shapes.ts';
import { Banner } from '#design/display/banner.tsx';
import { EmptyState } from '#design/display/empty-state.tsx';
import { useNames } from '#format/names.ts';
import { BarList } from '../analytics/panels/bar-list.tsx';
import { Flag } from '../analytics/panels/list/flag.tsx';
import { SourceMark } from '../analytics/panels/list/source-mark.tsx';
import { Panel } from '../analytics/panels/panel.tsx';
import { LatestRecords } from './latest-records.tsx';
import { LiveNow } from './live-now.tsx';
import { useLiveWords } from './live-words.ts';
import '../analytics/head/delay-banner.css';
import './live.css';

/** Makes the lists about as high as the latest records beside them. */
const limit = 8;

export function LiveView({ scene, isAway, isLost }: LiveState) {
  const words = useLiveWords();
  return (
    <div class="live-page">
      <div class="delay" role="status">
        {isAway && !isLost && <Banner kind="warn">{words.away}</Banner>}
      </div>
      <LiveNow scene={scene} isAway={isAway} />
      {scene !== undefined && isQuiet(scene) ? (
        <EmptyState title={words.nobody}>{words.nobodyAbout}</EmptyState>
      ) : (
        <>
          <p class="live-span">{words.lastHalfHour}</p>
          <div class="live-columns">
            <LatestRecords latest={scene?.latest} />
            <Lists scene={scene} />
          </div>
        </>
      )}
    </div>
  );
}

/** Who the visitors of the last half hour are and what they looked at. */
function Lists({ scene }: { scene: LiveScene | undefined }) {
  const words = useLiveWords();
  const names = useNames();
  return (
    <div class="live-lists">
      <Panel title={words.pages}>
        <BarList
          heading={words.page}
          unit={words.unit}
          limit={limit}
          rows={scene?.pages.map(({ value, visitors }) => ({
            key: value,
            label: names.value('page', value),
            value: visitors,
          }))}
        />
      </Panel>
      <Panel title={words.sources}>
        <BarList
          heading={words.source}
          unit={words.unit}
          limit={limit}
          rows={scene?.sources.map(({ value, visitors }) => ({
            key: value,
            label: names.value('source', value),
            value: visitors,
            before: <SourceMark source={value} />,
          }))}
        />
      </Panel>
      <Panel title={words.countries}>
        <BarList
          heading={words.country}
          unit={words.unit}
          limit={limit}
          rows={scene?.countries.map(({ value, visitors }) => ({
            key: value,
            label: names.country(value),
            value: visitors,
            before: <Flag code={value} />,
          }))}
        />
      </Panel>
    </div>
  );
}

const isQuiet = ({ visitors, latest, minutes }: LiveScene) =>
  visitors === 0 && latest.length === 0 && minutes.every((minute) => minute.visitors === 0);
