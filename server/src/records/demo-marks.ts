/** What tells demo data from real data. */

/** Records of a demo carry this in the place of a node's name. No node has it, so no loader counts them. */
export const demoNode = 'demo';

/** Writes the notes of a demo. The address belongs to nobody, so that they are recognizably made up as well. */
export const demoAuthor = 'demo@trackside.test';
