import { maxBatchBytes } from '@trackside/contract/tracking/body-sizes.ts';
import type { Refusal } from '../../intake/refusal.ts';
import type { TrackingHeaders } from './tracking-headers.ts';

/** Room for some hundred batches of usual size. What is read of a batch takes several times its bytes. */
const maxHeldBytes = 64 * 1024 * 1024;

const batchesFull: Refusal = {
  refused: 'batches-full',
  message: 'Too many batches are being read at once: try again in a moment',
};

/**
 * Bounds the memory of the batches that are being read or judged. Returns a function that holds a batch by its
 * headers, before its body is read: it returns why there is no room, or how to let the batch go.
 */
export function createBatchHold(): (headers: TrackingHeaders) => Refusal | (() => void) {
  let heldBytes = 0;
  return ({ contentLength, contentEncoding }) => {
    // Only a plain body of announced length says how large it will be.
    const isKnown = contentLength !== undefined && contentEncoding === undefined;
    const bytes = isKnown ? Number(contentLength) : maxBatchBytes;
    if (heldBytes + bytes > maxHeldBytes) return batchesFull;
    heldBytes += bytes;
    let isHeld = true;
    return () => {
      if (isHeld) heldBytes -= bytes;
      isHeld = false;
    };
  };
}
