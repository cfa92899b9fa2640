export type ExportFormat = 'csv' | 'parquet';

type Wanted = {
  format: ExportFormat;
  /** Days of the website. Empty for no limit. */
  from: string;
  to: string;
};

/** The address of the file with the records of some days. */
export function exportAddress(websiteId: number, { format, from, to }: Wanted): string {
  const query = new URLSearchParams({ format });
  if (from !== '') query.set('from', from);
  if (to !== '') query.set('to', to);
  return `/api/websites/${websiteId}/export?${query}`;
}
