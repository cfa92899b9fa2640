/** The visitor and the page, with the interface's names. Required members are required here too. */
export type Metrics = {
  Browser: {
    /** The visitor's IPv4 or IPv6 address, not a proxy's. */
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
  /** In pixels; 0 if unknown. */
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

/** At most 12, in order: `[{ Name: 'plan', Value: 'pro' }]`, or `{ plan: 'pro', seats: 5 }` for short. */
export type EventParameters =
  | readonly { Name: string; Value: string }[]
  | { readonly [name: string]: string | number | boolean | undefined };
