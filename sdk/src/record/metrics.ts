/** The visitor and the page, as the interface names them. Required members are required here too. */
export type Metrics = {
  Browser: {
    /** The visitor's IPv4 or IPv6 address, not that of a proxy. */
    IP: string;
    UserAgent: string;
  };
  Identify: { ClientId?: string | null };
  Language: {
    /** Two letters of ISO 639-1. */
    Code: string;
  };
  Page: { Absolute: string };
  Referrer: { Absolute?: string | null };
  /** In pixels; 0 for unknown. */
  Screen: { Width: number; Height: number };
  Location: Location;
};

export type Location = {
  ContinentCode?: ContinentCode | null;
  /** ISO 3166-1 alpha-2. */
  CountryCode?: string | null;
  City?: string | null;
  PostalCode?: string | null;
  Region?: string | null;
  RegionCode?: string | null;
  Timezone?: string | null;
};

export type ContinentCode = 'AF' | 'AN' | 'AS' | 'EU' | 'NA' | 'OC' | 'SA';

/** At most 12, in order: `[{ Name: 'plan', Value: 'pro' }]`, or short `{ plan: 'pro', seats: 5 }`. */
export type EventParameters =
  | readonly { Name: string; Value: string }[]
  | { readonly [name: string]: string | number | boolean | undefined };
