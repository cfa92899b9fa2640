import { useMemo } from 'preact/hooks';
import { useFormat } from '#format/format-context.tsx';
import { useNames } from '#format/names.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { filteredValues, toggleFilter } from '../../view/filters.ts';
import { spellShare } from '../list/spell-share.ts';
import { useListRows, useTotals } from '../list/use-list-rows.ts';
import { usePanelsWords } from '../panels-words.ts';
import type { World } from './use-world.ts';
import { WorldMap } from './world-map.tsx';

const key = { dimension: 'country' } as const;

/** More than there are, because the map shows all of them. */
export const allCountries = 300;

/** The visitors by country on the map. */
export function CountryMap({ world }: { world: World | undefined }) {
  const { wanted, shown, change } = useAnalytics();
  const names = useNames();
  const format = useFormat();
  const words = usePanelsWords();
  const totals = useTotals();
  const { answer } = useListRows(key, 'visitors', { limit: allCountries });
  const values = useMemo(
    () =>
      (answer?.rows ?? []).flatMap(({ dimensions, metrics }) => {
        const code = dimensions.country ?? '';
        const value = metrics.visitors ?? 0;
        // The unknown country appears only in the list, and does not affect the shades of the others.
        if (code === '') return [];
        return {
          code,
          value,
          name: names.country(code),
          shown: format.count(value, words.visitors),
          note: spellShare(value, totals?.visitors, format),
        };
      }),
    [answer, totals?.visitors, names, format, words],
  );
  const selected = useMemo(() => filteredValues(shown.filters, key), [shown.filters]);
  const first = values.slice(0, 3).map((value) => `${value.name}, ${value.shown}`);
  return (
    <WorldMap
      world={world}
      values={values}
      selected={selected}
      label={[words.map.label, ...first].join('; ')}
      nameOf={names.country}
      onSelect={(code) => change({ filters: toggleFilter(wanted.filters, key, code) })}
    />
  );
}
