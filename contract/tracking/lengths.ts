/** The most UTF-16 code units of the tracking fields that other interfaces accept as well. */
export const trackingLengths = {
  clientId: 512,
  /** The name of an event or of a parameter. */
  name: 256,
  parameterValue: 2048,
} as const;
