/** The hosts of an outside store, which all lead to the same data. All clients ask the same one. */
export type StoreHosts = {
  /** Without user and password, so that they can be shown. */
  readonly urls: readonly string[];
  current(): string;
  /** Goes on to the next host, unless someone else already has. */
  giveUp(url: string): void;
  choose(url: string): void;
};

export function createStoreHosts(urls: readonly string[]): StoreHosts {
  let at = 0;
  return {
    urls,
    current: () => urls[at]!,
    giveUp: (url) => {
      if (urls[at] === url) at = (at + 1) % urls.length;
    },
    choose: (url) => {
      at = Math.max(0, urls.indexOf(url));
    },
  };
}
