import { bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import type { Rule } from '@trackside/contract/tracking/rule.ts';
import Type, { type Static } from 'typebox';
import { field, members } from './members.ts';
import { metricsSchema } from './metrics.ts';

const { Name, Parameters } = bodyRules.event;

const name = (description: string, rule: Rule) =>
  field(Type.String({ minLength: 1, maxLength: 256, description }), rule);

export const pageViewSchema = members({ Metrics: metricsSchema }, 'One visit to one page.');

export const eventSchema = members(
  {
    Metrics: metricsSchema,
    Name: name('Name or category of the event.', Name),
    Parameters: field(
      Type.Array(
        members(
          {
            Name: name('Name of the parameter.', Parameters.each.Name),
            Value: field(
              Type.String({ maxLength: 2048, description: 'Value of the parameter.' }),
              Parameters.each.Value,
            ),
          },
          'One parameter.',
        ),
        { maxItems: 12, description: 'Order and duplicates are kept; empty when there are none.' },
      ),
      Parameters.list,
    ),
  },
  'A named occurrence with parameters.',
);

export type PageViewBody = Static<typeof pageViewSchema>;
export type EventBody = Static<typeof eventSchema>;
export type Metrics = Static<typeof metricsSchema>;
