import { type Static, Type } from 'typebox';

const text = (description: string) => Type.String({ description });
const orNull = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);

/** What was understood of a record, in the answer to a dry run. The values are those that would be stored. */
export const understoodSchema = Type.Object(
  {
    OccurredAt: Type.String({ format: 'date-time', description: 'When it happened, in UTC.' }),
    Day: text("The website's local day that the record would count on."),
    Host: text('With the port, unless it is the usual one.'),
    Page: text('The path as the lists of the website show it.'),
    Query: text('Without click identifiers, and with private values masked.'),
    Event: orNull('The name of the event; null for a page view.'),
    Parameters: Type.Integer({ description: 'How many parameters the event has.' }),
    Source: text('Empty for direct.'),
    Channel: text('Such as search or referral.'),
    Country: text('ISO code; empty if none was sent.'),
    Browser: text('Empty if unknown.'),
    OS: text('Empty if unknown.'),
    Device: text('Empty if unknown.'),
    Bot: orNull('The name of the bot; null for a person.'),
    HasClientId: Type.Boolean({ description: 'Whether a ClientId was sent.' }),
    Excluded: orNull(
      'What the rule of the website looks at that excludes the record; null if it would count.',
    ),
  },
  { description: 'Only in the answer to a dry run: what was understood of the record.' },
);

export type Understood = Static<typeof understoodSchema>;
