import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
import { useState } from 'preact/hooks';
import { useAnalytics } from '../../analytics-context.ts';
import { filteredValues, toggleFilter } from '../../view/filters.ts';
import { useListRows, useTotals } from '../list/use-list-rows.ts';
import { usePanelsWords } from '../panels-words.ts';
import { EventColumn } from './event-column.tsx';

const ofEvents = { dimension: 'event' } as const;
const ofNames = { dimension: 'parameterName' } as const;

/** Drills down from an event to the names of its parameters, and to the values of one of them. */
export function EventsDrill({ limit }: { limit: number }) {
  const { wanted, shown, change } = useAnalytics();
  const words = usePanelsWords().events;
  const totals = useTotals();
  const [chosen, setChosen] = useState<{ event?: string; name?: string }>({});

  const events = useListRows(ofEvents, 'events', { limit });
  const event = chosenOrFirst(chosen.event, events.rows);
  const onlyEvent: Filter[] = event === undefined ? [] : [{ ...ofEvents, is: event.key }];
  const names = useListRows(event && ofNames, 'events', { limit, filters: onlyEvent });
  const name = chosenOrFirst(chosen.name, names.rows);
  const ofValues: Key = { dimension: 'parameterValue', of: name?.key ?? '' };
  const values = useListRows(name && ofValues, 'events', { limit, filters: onlyEvent });

  const hasNoEvents = events.rows?.length === 0 || events.fault !== undefined;
  const hasNoNames = names.rows?.length === 0 || names.fault !== undefined;

  /** Filters by the parameter and its event, because a parameter means little without its event. */
  const filterWithin = (key: Key, value: string) => {
    const isOn = event !== undefined && filteredValues(wanted.filters, ofEvents).includes(event.key);
    const filters =
      event === undefined || isOn ? wanted.filters : toggleFilter(wanted.filters, ofEvents, event.key);
    change({ filters: toggleFilter(filters, key, value) });
  };

  return (
    <div class="events-drill">
      <EventColumn
        heading={words.event}
        list={events}
        total={totals?.events}
        limit={limit}
        selectedKeys={event === undefined ? [] : [event.key]}
        onSelect={(key) => setChosen({ event: key })}
        onFilter={(key) => change({ filters: toggleFilter(wanted.filters, ofEvents, key) })}
      />
      {!hasNoEvents && (
        <>
          <EventColumn
            heading={event === undefined ? words.parameter : words.parameterOf(event.label)}
            list={names}
            total={event?.value}
            limit={limit}
            empty={words.noParameters}
            selectedKeys={name === undefined ? [] : [name.key]}
            onSelect={(key) => setChosen({ ...(event && { event: event.key }), name: key })}
            onFilter={(key) => filterWithin(ofNames, key)}
          />
          <EventColumn
            heading={name === undefined ? words.value : words.valueOf(name.label)}
            list={hasNoNames ? { ...values, rows: [] } : values}
            total={name?.value}
            limit={limit}
            empty=""
            selectedKeys={filteredValues(shown.filters, ofValues)}
            onSelect={(key) => filterWithin(ofValues, key)}
          />
        </>
      )}
    </div>
  );
}

/** Returns the chosen row while it exists, otherwise the first one, so that there is something to see. */
function chosenOrFirst<Row extends { key: string }>(
  key: string | undefined,
  rows: readonly Row[] | undefined,
): Row | undefined {
  return rows?.find((row) => row.key === key) ?? rows?.[0];
}
