/** How a filter compares. */
export const operators = ['is', 'isNot', 'contains', 'anyOf'] as const;
export type Operator = (typeof operators)[number];
