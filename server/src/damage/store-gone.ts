/** The damage that a store with this identity is gone. */
export const storeGoneId = (uuid: string): string => `store-gone-${uuid}`;

export const storeGonePattern = /^store-gone-[0-9a-f-]{36}$/;
