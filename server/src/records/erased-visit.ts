/**
 * A visit that belongs to an erased person, because they signed in during it. Records of its device without a
 * ClientId that happened in this time are the person's too. Its members keep their names from when that was
 * the same as being received.
 */
export type ErasedVisit = {
  /** 64 bits in decimal. Records of the device without a ClientId have it as their visitor. */
  deviceId: string;
  /** Milliseconds since 1970. */
  receivedFrom: number;
  /** Not included. */
  receivedUntil: number;
};
