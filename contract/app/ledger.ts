import { type Static, Type } from 'typebox';

/**
 * What became of everything that was sent to a website. Times are ISO 8601 in UTC, days are those of the
 * website's timezone.
 */

const count = (description: string) => Type.Integer({ minimum: 0, description });
const time = (description: string) => Type.String({ format: 'date-time', description });
const day = (description: string) => Type.String({ format: 'date', description });
const orNull = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const counts = {
  sent: count('The sum of accepted, refused, excluded, overQuota and missing.'),
  accepted: count('Stored and counted in the statistics.'),
  refused: count('Answered 400: they did not have the required form.'),
  excluded: count('Answered 200, but neither stored nor counted, because of a rule of the website.'),
  overQuota: count('Answered 429: the monthly quota was used up.'),
  missing: count('Numbered by their sender, but never arrived.'),
  repeated: count('Arrived again and were not counted again. They are not part of sent.'),
};

export const ledgerCountsShape = Type.Object(counts);

const release = orNull(
  Type.String({
    description:
      "The Trackside-Release of the requests. null for requests without one, and `(other)` if a day has too many releases to count each of them.",
  }),
);

/** Records that were refused for the same reason. It has the form of what was sent, never a value. */
export const ledgerRefusalShape = Type.Object({
  code: Type.Integer({ description: 'The HTTP status of the responses.' }),
  field: orNull(
    Type.String({
      description:
        'The path of the field, with [] for any index, or the name of the header; null if it was about something else.',
    }),
  ),
  expected: orNull(Type.String({ description: 'What was expected; null if field is null.' })),
  got: orNull(
    Type.String({ description: 'What came, as a form and without values; null if field is null.' }),
  ),
  records: count('How many records were refused for this reason in the period.'),
  firstAt: time('The first of them in the period, to the hour.'),
  lastAt: time('The last of them in the period, to the hour.'),
  releases: Type.Array(
    Type.Object({
      release,
      records: count('Those of the release that were refused for this reason.'),
      sent: count('All that the release sent in the period.'),
    }),
    { description: 'Most records first.' },
  ),
});

export const ledgerReleaseShape = Type.Object({
  release,
  firstAt: time('Its first record in the period, to the hour.'),
  lastAt: time('Its last record in the period, to the hour.'),
  ...counts,
});

/** The answer to `GET /api/websites/:id/ledger?from=2026-11-01&to=2026-11-16`. Without days: the last 30. */
export const ledgerShape = Type.Object({
  timezone: Type.String(),
  from: day('The first day.'),
  to: day('The last day. It is part of the period.'),
  since: orNull(
    time(
      'When counting began for this website. Earlier requests are not in the ledger. null if nothing was sent yet.',
    ),
  ),
  totals: ledgerCountsShape,
  numbered: count('Of all that was sent, the records with a number. Only such records can be missing.'),
  days: Type.Array(Type.Object({ day: day('A day of the period.'), ...counts }), {
    description: 'Oldest first; only days with any count.',
  }),
  hours: Type.Array(Type.Object({ hour: time('Its start.'), ...counts }), {
    description: 'Oldest first; only hours with any count. Empty for periods of more than 4 days.',
  }),
  refusals: Type.Array(ledgerRefusalShape, { description: 'Most records first, at most 50.' }),
  releases: Type.Array(ledgerReleaseShape, {
    description: 'By their first record, newest first, at most 50.',
  }),
  keys: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Identifies the API key. It cannot be used in its place.' }),
      masked: orNull(
        Type.String({
          description: 'Its first and last four characters; null for one that no longer works.',
        }),
      ),
      isCurrent: Type.Boolean(),
      ...counts,
    }),
    { description: 'The current key first.' },
  ),
  gaps: Type.Array(
    Type.Object({
      stream: Type.String({ description: 'The name under which the sender numbers its records.' }),
      from: count('The first missing number.'),
      to: count('The last missing number.'),
      records: count('How many are missing.'),
      hour: time('The hour in which they were due.'),
    }),
    { description: 'Numbers that are still missing, newest first, at most 50.' },
  ),
});

export type LedgerCounts = Static<typeof ledgerCountsShape>;
export type LedgerRefusal = Static<typeof ledgerRefusalShape>;
export type LedgerRelease = Static<typeof ledgerReleaseShape>;
export type LedgerAnswer = Static<typeof ledgerShape>;
