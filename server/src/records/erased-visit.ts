/**
 * A visit that belongs to an erased person, because they signed in during it. Records of its device without a
 * ClientId that were received in this time are the person's too.
 */
export type ErasedVisit = {
  /** 64 bits in decimal. Records of the device without a ClientId have it as their visitor. */
  deviceId: string;
  /** Milliseconds since 1970. */
  receivedFrom: number;
  /** Not included. */
  receivedUntil: number;
};
