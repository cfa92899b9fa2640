/** Reads an id from a path. Undefined for any other text. Ids begin with 1. */
export const readId = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
