import { channelNames } from '@trackside/contract/stats/channels.ts';
import { devices } from '@trackside/contract/stats/devices.ts';
import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import { continentCodes, isCountryCode, isLanguageCode } from '@trackside/contract/tracking/field-rules.ts';
import { QuestionError } from './question-error.ts';
import { shown } from './read-value.ts';

/** What the values of a dimension look like: a list of them, or a form with an example. */
type Codes = { expected: string; has: (value: string) => boolean };

const oneOf = (names: readonly string[]): Codes => ({
  expected: `one of ${names.join(', ')}`,
  has: (value) => names.includes(value),
});
const likeForm = (expected: string, form: RegExp): Codes => ({ expected, has: (value) => form.test(value) });
/** The empty string stands for records without a value. */
const orNone = ({ expected, has }: Codes): Codes => ({
  expected: `${expected}, or an empty string for none`,
  has: (value) => value === '' || has(value),
});

/** The dimensions whose values are codes. Any other text would match nothing. */
const codesOf: Partial<Record<DimensionName, Codes>> = {
  channel: orNone(oneOf(Object.keys(channelNames))),
  continent: orNone(oneOf(continentCodes)),
  country: orNone({
    expected: 'an ISO 3166-1 code in uppercase such as DE',
    has: (value) => value === value.toUpperCase() && isCountryCode(value),
  }),
  language: orNone({
    expected: 'an ISO 639-1 code in lowercase such as de',
    has: (value) => value === value.toLowerCase() && isLanguageCode(value),
  }),
  device: orNone(oneOf(devices)),
  screenSize: orNone(likeForm('width × height such as 1920×1080', /^[1-9]\d*×[1-9]\d*$/)),
  hour: likeForm('two digits from 00 to 23', /^(?:[01]\d|2[0-3])$/),
  weekday: likeForm('a digit from 1 (Monday) to 7', /^[1-7]$/),
  visitorType: orNone(oneOf(['new', 'returning'])),
};

/** Refuses a value that no record can have, because its answer would be zeros that look like a fact. */
export function checkCode(path: string, dimension: DimensionName, value: string): void {
  const codes = codesOf[dimension];
  if (codes === undefined || codes.has(value)) return;
  throw new QuestionError(`${path}: expected ${codes.expected}, got ${shown(value)}`);
}
