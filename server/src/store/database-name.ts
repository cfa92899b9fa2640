export const databaseName = 'trackside';
