import { parseNoteText } from '../../control/websites/notes.ts';
import { checkContingent } from '../../control/websites/parse-contingent.ts';
import { parseDay } from '../../control/websites/parse-day.ts';
import { parseDomain } from '../../control/websites/parse-domain.ts';
import { checkRetention } from '../../control/websites/parse-retention.ts';
import { parseTimezone } from '../../control/websites/parse-timezone.ts';
import { parseWebsiteName } from '../../control/websites/parse-website-name.ts';
import { type FormField, oneOf, orNull, text, whole } from './read-form.ts';

/** Fields that more than one form has. */
export const emailField = text({ max: 300, description: 'E-mail address.' });
export const passwordField = text({ max: 1000, description: 'Password.', isSecret: true });
export const newPasswordField = text({ max: 200, description: 'At least 10 characters.', isSecret: true });
export const roleField = oneOf(['admin', 'viewer'] as const, 'What the user may do.');

export const nameField = text({ max: 400, description: 'What people call the website.' }, parseWebsiteName);
export const domainField = text({ max: 300, description: 'Host name of its pages.' }, parseDomain);
export const timezoneField = text(
  { max: 100, description: 'IANA name; days begin and end at midnight there.' },
  parseTimezone,
);
export const contingentField = checked(
  orNull(whole({ min: 0, max: 1_000_000_000_000, description: 'Records a month; null for no limit.' })),
  checkContingent,
);
export const retentionField = checked(
  orNull(whole({ min: 1, max: 36_500, description: 'Days that records are kept; null for ever.' })),
  checkRetention,
);
export const clientIdField = text({
  max: 512,
  description: 'As it was sent in Metrics.Identify.ClientId.',
  isSecret: true,
});
export const noteDayField = text(
  { max: 30, description: "Of the website's calendar, such as 2026-11-03." },
  parseDay,
);
export const noteTextField = text(
  { max: 1000, description: 'One line of at most 200 characters.' },
  parseNoteText,
);

function checked<Value>(field: FormField<Value>, check: (value: Value) => Value): FormField<Value> {
  return { ...field, read: (value) => check(field.read(value)) };
}
