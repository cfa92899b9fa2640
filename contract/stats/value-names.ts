import type { Device } from './devices.ts';

/** The names that people read instead of codes. Those of channels are in `channels.ts`. */
export const deviceNames: Readonly<Record<Device, string>> = {
  desktop: 'Desktop',
  mobile: 'Phone',
  tablet: 'Tablet',
  tv: 'TV',
  console: 'Game console',
  unknown: 'Unknown',
};

export const continentNames = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
} as const;

export const visitorTypeNames = { new: 'New', returning: 'Returning' } as const;

/** What people read instead of an empty value. */
export const emptyNames = { unknown: 'Unknown', source: 'Direct', parameterValue: 'Empty' } as const;
