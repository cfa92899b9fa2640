import { exportRecords } from '../../../actions/export-records.ts';
import type { Website } from '../../../control/websites/website-row.ts';
import { isStorableDay } from '../../../time/is-storable-day.ts';
import { AppFault } from '../app-fault.ts';
import { appRoute, tooLargeToAnswer } from '../app-route.ts';
import type { WebsiteParts } from '../website-parts.ts';

const types = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;

const day = { type: 'string', format: 'date' };

type Query = Record<string, string | undefined>;

/** Returns the route that hands out the records of a website as a file. */
export function websiteExportRoutes({ control, data }: Pick<WebsiteParts, 'control' | 'data'>) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/websites/:id/export',
      access: 'admin',
      summary: 'Export the records of a website, or of some of its days, as a file',
      query: {
        format: {
          description: 'The format of the file.',
          schema: { type: 'string', enum: Object.keys(types) },
          isRequired: true,
        },
        from: { description: 'The first day, such as 2026-01-31; all when left out.', schema: day },
        to: { description: 'The last day; all when left out.', schema: day },
      },
      answers: {
        code: 200,
        isRecorded: true,
        types: Object.values(types),
        description: 'The file. The connection breaks off when records are missing from it.',
      },
      faults: { 422: tooLargeToAnswer },
      async handle({ user, website, query }) {
        const { format, from, to } = readWanted(query);
        const open = () => data.exportRecords(website.id, { format, from, to });
        const content = await exportRecords({ control, open }, user, website, { from, to });
        return {
          stream: { content, type: types[format], fileName: nameFile(website, { format, from, to }) },
        };
      },
    }),
  ];
}

function readWanted({ format, from, to }: Query) {
  if (!isFormat(format)) throw invalid('format', `Expected csv, ndjson or parquet, got ${shown(format)}.`);
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !isStorableDay(day))
      throw invalid(name, `Expected a day such as 2026-01-31, got ${shown(day)}.`);
  if (from !== undefined && to !== undefined && from > to)
    throw invalid('to', `Expected ${from} or a later day, got ${to}.`);
  return { format, from, to };
}

const isFormat = (text: string | undefined): text is keyof typeof types =>
  text !== undefined && Object.hasOwn(types, text);

const shown = (text: string | undefined) => (text === undefined ? 'nothing' : JSON.stringify(text));

const invalid = (field: string, message: string) =>
  new AppFault('invalid', message, { fields: { [field]: message } });

function nameFile({ domain }: Website, { format, from, to }: Query): string {
  const days = [from, to].filter((day) => day !== undefined).join('-to-');
  return `records-${domain}${days === '' ? '' : `-${days}`}.${format}`;
}
