/** The channel on which `importTests` says that all files have declared their tests. */
export const testsDeclared = 'trackside.tests-declared';
