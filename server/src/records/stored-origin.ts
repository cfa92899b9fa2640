/** What a stored record still says about where its visitor came from. */
export type StoredOrigin = {
  /** The page's host, with its port. */
  host: string;
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
  utmTerm: string;
  utmContent: string;
  /** The parameters `ref` and `source` of the query, as they are stored. */
  refs: string;
  /** `https:`, or '' without a referrer. */
  referrerProtocol: string;
  referrerHost: string;
  /** As the version that took the record found them. */
  source: string;
  channel: string;
};
