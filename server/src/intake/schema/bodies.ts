import Type, { type Static } from 'typebox';
import { describeValue } from '../rules/describe-value.ts';
import { type Rule, textFromOneTo, textUpTo } from '../rules/rule.ts';
import { field, members } from './members.ts';
import { metricsSchema } from './metrics.ts';

const maxParameters = 12;

const name = (description: string) =>
  field(Type.String({ minLength: 1, maxLength: 256, description }), textFromOneTo(256));

const parameterValue: Rule = (value) => {
  const fault = textUpTo(2048)(value);
  const canBeText = typeof value === 'number' || typeof value === 'boolean';
  return fault && canBeText ? `${fault}; send it as a string` : fault;
};

const parameterList: Rule = (value) =>
  Array.isArray(value) && value.length <= maxParameters
    ? undefined
    : `expected an array of 0 to ${maxParameters} elements, got ${describeValue(value)}`;

export const pageViewSchema = members({ Metrics: metricsSchema }, 'One visit to one page.');

export const eventSchema = members(
  {
    Metrics: metricsSchema,
    Name: name('Name or category of the event.'),
    Parameters: field(
      Type.Array(
        members(
          {
            Name: name('Name of the parameter.'),
            Value: field(
              Type.String({ maxLength: 2048, description: 'Value of the parameter.' }),
              parameterValue,
            ),
          },
          'One parameter.',
        ),
        { maxItems: maxParameters, description: 'Order and duplicates are kept; empty when there are none.' },
      ),
      parameterList,
    ),
  },
  'A named occurrence with parameters.',
);

export type PageViewBody = Static<typeof pageViewSchema>;
export type EventBody = Static<typeof eventSchema>;
export type Metrics = Static<typeof metricsSchema>;
