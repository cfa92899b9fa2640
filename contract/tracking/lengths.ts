/** The most UTF-16 code units of those tracking fields that other interfaces take as well. */
export const trackingLengths = {
  clientId: 512,
  /** Of an event and of a parameter. */
  name: 256,
  parameterValue: 2048,
} as const;
