import type { Location } from '../record/metrics.ts';
import { completeLocation, isKnown } from './complete-location.ts';

/**
 * Returns the location in a database record in MaxMind's format: nested as in MaxMind's own City and Country
 * (and DB-IP's), or flat (`country_code`, `city`) as others publish them. Returns undefined if there is none.
 */
export function readMmdbRecord(record: unknown, language: string): Location | undefined {
  const subdivision = (member(record, 'subdivisions') as unknown[] | undefined)?.[0];
  const country = member(record, 'country');
  const continent = member(record, 'continent');
  const found = {
    ContinentCode: member(continent, 'code') ?? member(record, 'continent_code') ?? continent,
    CountryCode: member(country, 'iso_code') ?? member(record, 'country_code') ?? country,
    City: readName(member(record, 'city'), language),
    PostalCode: readCode(member(record, 'postal')) ?? firstOf(record, 'postal_code', 'postcode', 'zip_code'),
    Region: readName(subdivision, language) ?? firstOf(record, 'region', 'region_name', 'state', 'state1'),
    RegionCode: member(subdivision, 'iso_code') ?? member(record, 'region_code'),
    Timezone: member(member(record, 'location'), 'time_zone') ?? firstOf(record, 'timezone', 'time_zone'),
  };
  const location = completeLocation(found as Location);
  return isKnown(location) ? location : undefined;
}

function member(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? holder[name as keyof typeof holder]
    : undefined;
}

function firstOf(record: unknown, ...names: readonly string[]): unknown {
  return names.map((name) => member(record, name)).find((value) => value !== undefined && value !== '');
}

/** Returns a name from `{ names: { en, de } }` in the given language or in English, or the name itself. */
function readName(place: unknown, language: string): unknown {
  if (typeof place === 'string') return place;
  const names = member(place, 'names');
  return member(names, language) ?? member(names, 'en');
}

function readCode(postal: unknown): unknown {
  return typeof postal === 'string' ? postal : member(postal, 'code');
}
