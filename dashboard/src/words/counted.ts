/** The forms of a phrase that counts. `#` stands for the number: `{ one: '# record', other: '# records' }`. */
export type Counted = { one: string; other: string };
