/**
 * The folder of the flags and icons. Browsers keep its files for a year, so its number is raised when one of
 * them changes. They are never fetched from elsewhere, because others would learn who looks at which numbers.
 */
const folder = '/pictures-2';

export const flagUrl = (code: string): string => `${folder}/flags/${code}.svg`;

export const iconUrl = (name: string): string => `${folder}/icons/${name}.svg`;
