/** The languages besides English. Each is one file, which is loaded when it is chosen. */
export const translations = {
  de: () => import('./german.ts').then((file) => file.german),
};
