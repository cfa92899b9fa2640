/** Headers of answers, as the OpenAPI document describes them. */
export const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
  },
};
const allow = { Allow: { description: 'The methods that the path has.', schema: { type: 'string' } } };

const headersOf: Readonly<Record<number, object>> = { 405: allow, 429: retryAfter, 503: retryAfter };

/** Describes an answer that is not a success. */
export function faultAnswer(status: number, description: string, schema: string): object {
  const headers = headersOf[status];
  return {
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

/**
 * Describes the faults of one API once for the whole document, and returns a function that refers to them.
 * `App404` is the name of the answer 404 whose schema is `AppFault`.
 */
export function createFaultAnswers<Status extends number>(
  schema: string,
  descriptions: Readonly<Record<Status, string>>,
) {
  const area = schema.replace(/(?:Fault|Answer)$/, '');
  const all = Object.entries<string>(descriptions);
  return {
    named: Object.fromEntries(
      all.map(([status, says]) => [`${area}${status}`, faultAnswer(Number(status), says, schema)]),
    ),
    refer: (...statuses: readonly Status[]) =>
      Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/${area}${status}` }]),
      ),
  };
}
