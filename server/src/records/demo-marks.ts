/** What distinguishes demo data from real data. */

/** Records of a demo have this in place of a node's name. No node has it, so no loader counts them. */
export const demoNode = 'demo';

/** Writes the notes of a demo. The address belongs to nobody, so that they are recognizably made up as well. */
export const demoAuthor = 'demo@trackside.test';
