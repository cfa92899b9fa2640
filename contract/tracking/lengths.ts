/** The maximum lengths of the tracking fields: of a text in UTF-16 code units, of a list in elements. */
export const trackingLengths = {
  userAgent: 2048,
  clientId: 512,
  /** Of a page and of a referrer. */
  url: 8192,
  /** Of a city, a region and a timezone. */
  placeName: 256,
  /** Of a postal code and a region code. */
  placeCode: 64,
  /** Of an event and of a parameter. */
  name: 256,
  parameterValue: 2048,
  parameters: 12,
} as const;
