export type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; items?: Schema };

/**
 * Adds to members of a schema what only readers of the document need to know: formats and patterns of values
 * whose rules are code. The schemas that validate don't have them, because the code does.
 * `Metrics.Page.Absolute` names a member, and `Parameters.*.Name` one in the elements of a list.
 */
export function narrow(schema: object, members: Readonly<Record<string, object>>): Schema {
  const copy = JSON.parse(JSON.stringify(schema)) as Schema;
  for (const [path, more] of Object.entries(members)) Object.assign(find(copy, path), more);
  return copy;
}

function find(schema: Schema, path: string): object {
  let found: Schema | undefined = schema;
  for (const name of path.split('.')) found = name === '*' ? found?.items : found?.properties?.[name];
  if (found === undefined) throw new Error(`expected a member ${path} of the schema, got none`);
  // A member that may be null is a choice of two.
  const choices = found.anyOf as Schema[] | undefined;
  return choices?.find(({ type }) => type !== 'null') ?? found;
}
