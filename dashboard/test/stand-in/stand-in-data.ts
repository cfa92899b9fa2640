import type {
  Activity,
  AuditEntry,
  Deletion,
  Demo,
  Funnel,
  Goal,
  Note,
  ReadToken,
  RecentRequest,
  Segment,
  Session,
  SessionItem,
  UnknownSender,
  User,
  WebsiteSettings,
} from '../../src/api/shapes.ts';
import type { LedgerState } from './stand-in-ledger.ts';

/** What the stand-in knows. A test may change any of it while pages are open. */
export type StandInData = {
  session: Session | undefined;
  sessions: SessionItem[];
  isSetupNeeded: boolean;
  throttleSeconds: number;
  isEngineAway: boolean;
  websites: WebsiteSettings[];
  /** Also determines how many visitors a website has in its statistics. */
  activity: Map<number, Activity>;
  /** By website. */
  notes: Map<number, Note[]>;
  funnels: Map<number, Funnel[]>;
  segments: Map<number, Segment[]>;
  goals: Map<number, Goal[]>;
  requests: RecentRequest[];
  skipped: number;
  tokens: ReadToken[];
  users: User[];
  audit: AuditEntry[];
  deletion: Deletion | undefined;
  demo: Demo;
  ledger: LedgerState;
  unauthorized: UnknownSender | null;
  apiKey: string;
  /** Rewords each message of a fault, for tests whose pages must not depend on its words. */
  say?: (message: string) => string;
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

function nextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}

export function website(id: number, changes: Partial<WebsiteSettings>): WebsiteSettings {
  const domain = changes.domain ?? `site-${id}.example.com`;
  const contingent = changes.contingent ?? null;
  return {
    id,
    name: domain,
    domain,
    shownDomain: domain,
    timezone: 'Europe/Berlin',
    contingent,
    createdAt: ago(800 * dayMs),
    isDeleting: false,
    version: 1,
    retentionDays: null,
    ignoreTrailingSlash: false,
    ignoreCase: false,
    ignoreWww: false,
    readOrigins: [],
    exclusions: [],
    retention: { lastRunAt: null },
    usage: { used: 0, refused: 0, limit: contingent, resetsAt: nextMonth() },
    key: {
      masked: 'k3Vd••••••••••••••••••••••••••••••••9xQe',
      createdAt: ago(120 * dayMs),
      lastUsedAt: null,
      oldKeyUntil: null,
    },
    share: { isOn: false, path: null },
    ...changes,
  };
}

const wave = (peak: number, seed: number) =>
  Array.from({ length: 24 }, (_, hour) =>
    Math.round(
      peak * (0.42 + 0.4 * Math.sin((hour - 8 + seed) / 3.8) + 0.16 * Math.sin(hour * (1.7 + seed))),
    ),
  ).map((value) => Math.max(0, value));

const signedIn = (hoursAgo: number) => {
  const time = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  return { createdAt: time, lastUsedAt: time };
};

const session = (role: 'admin' | 'viewer'): Session => ({
  user: {
    id: role === 'admin' ? 1 : 2,
    email: role === 'admin' ? 'owner@example.com' : 'guest@example.com',
    role,
    language: null,
  },
  expiresAt: new Date(Date.now() + 7 * dayMs).toISOString(),
});

const understood = {
  page: '/products/oak-desk',
  event: null,
  parameters: 0,
  browser: 'Firefox',
  os: 'Linux',
  country: 'DE',
  source: 'Google',
  bot: null,
  hasClientId: false,
};

/** A node with a little of everything. */
export function fullData(role: 'admin' | 'viewer'): StandInData {
  const month = nextMonth();
  const websites = [
    website(1, {
      name: 'Oak & Lamp shop',
      domain: 'shop.example.com',
      shownDomain: 'shop.example.com',
      contingent: 250_000,
      usage: { used: 182_406, refused: 0, limit: 250_000, resetsAt: month },
      key: {
        masked: 'k3Vd••••••••••••••••••••••••••••••••9xQe',
        createdAt: ago(120 * dayMs),
        lastUsedAt: ago(3_000),
        oldKeyUntil: null,
      },
      share: { isOn: true, path: '/share/q7hV2mXc0TzLd9RkA4sEwg' },
      retentionDays: 730,
      readOrigins: [],
      exclusions: [],
      retention: { lastRunAt: ago(11 * 60 * minuteMs) },
    }),
    website(2, {
      name: 'Blog',
      domain: 'xn--mnchen-3ya.example',
      shownDomain: 'münchen.example',
      usage: { used: 48_120, refused: 0, limit: null, resetsAt: month },
    }),
    website(3, {
      name: 'Documentation',
      domain: 'docs.example.com',
      shownDomain: 'docs.example.com',
      contingent: 10_000,
      usage: { used: 9_640, refused: 0, limit: 10_000, resetsAt: month },
    }),
    website(4, {
      name: 'Campaign',
      domain: 'autumn.example.com',
      shownDomain: 'autumn.example.com',
      contingent: 5_000,
      usage: { used: 5_000, refused: 1_204, limit: 5_000, resetsAt: month },
    }),
    website(5, {
      name: 'status.example.com',
      domain: 'status.example.com',
      usage: { used: 0, refused: 0, limit: null, resetsAt: month },
    }),
  ];
  return {
    session: session(role),
    sessions: [
      { ...signedIn(0), id: '1', device: 'Firefox on Linux', isCurrent: true },
      { ...signedIn(3), id: '2', device: 'Safari on iOS', isCurrent: false },
      { ...signedIn(41), id: '3', device: null, isCurrent: false },
    ],
    isSetupNeeded: false,
    throttleSeconds: 0,
    isEngineAway: false,
    websites: role === 'admin' ? websites : websites.slice(0, 2),
    activity: new Map([
      [1, { visitors: 2_398, visitorsBefore: 2_141, byHour: wave(180, 0) }],
      [2, { visitors: 611, visitorsBefore: 702, byHour: wave(60, 1) }],
      [3, { visitors: 1_204, visitorsBefore: 1_204, byHour: wave(96, 2) }],
      [4, { visitors: 87, visitorsBefore: 0, byHour: wave(12, 3) }],
      [5, { visitors: 0, visitorsBefore: 0, byHour: Array.from({ length: 24 }, () => 0) }],
    ]),
    notes: new Map([[1, shopNotes()]]),
    funnels: new Map([[1, shopFunnels()]]),
    segments: new Map([[1, shopSegments()]]),
    goals: new Map([[1, shopGoals()]]),
    requests: [
      { at: ago(4_000), kind: 'page_view', code: 200, message: 'Success', shape: null, understood },
      {
        at: ago(6_500),
        kind: 'page_view',
        code: 400,
        understood: null,
        message: 'Metrics.Language.Code: expected a two-letter ISO 639-1 code such as "en", got "en-US"',
        shape: {
          Metrics: {
            Browser: { IP: 'text with 13 characters', UserAgent: 'text with 68 characters' },
            Identify: { ClientId: 'null' },
            Language: { Code: 'text with 5 characters' },
            Page: { Absolute: 'text with 43 characters' },
            Referrer: { Absolute: 'null' },
            Screen: { Width: 'number', Height: 'number' },
            Location: { CountryCode: 'text with 2 characters' },
          },
        },
      },
      {
        at: ago(11_000),
        kind: 'event',
        code: 200,
        message: 'Success',
        shape: null,
        understood: { ...understood, event: 'purchase', parameters: 3, hasClientId: true },
      },
      {
        at: ago(19_000),
        kind: 'page_view',
        code: 200,
        message: 'Success',
        shape: null,
        understood: {
          ...understood,
          page: '/',
          browser: '',
          os: '',
          source: '',
          country: 'US',
          bot: 'GPTBot',
        },
      },
      {
        at: ago(25_000),
        kind: 'page_view',
        code: 200,
        message: 'Success',
        shape: null,
        understood: {
          ...understood,
          page: '/pricing',
          browser: 'Safari',
          os: 'iOS',
          source: '',
          country: 'AT',
        },
      },
    ],
    skipped: 0,
    tokens: [
      { id: 1, name: 'Weekly report', createdAt: ago(80 * dayMs), lastUsedAt: ago(2 * dayMs) },
      { id: 2, name: 'Screen in the office', createdAt: ago(12 * dayMs), lastUsedAt: null },
    ],
    users: [
      {
        id: 1,
        email: 'owner@example.com',
        role: 'admin',
        createdAt: ago(200 * dayMs),
        websites: [],
        lastSignInAt: ago(40 * minuteMs),
      },
      {
        id: 2,
        email: 'guest@example.com',
        role: 'viewer',
        createdAt: ago(30 * dayMs),
        websites: [1, 2],
        lastSignInAt: ago(3 * dayMs),
      },
      {
        id: 3,
        email: 'a.very.long.name@subdivision.example.com',
        role: 'viewer',
        createdAt: ago(dayMs),
        websites: [],
        lastSignInAt: null,
      },
    ],
    audit: auditEntries(),
    deletion: undefined,
    ledger: 'fine',
    demo: { state: 'none', done: 0, records: 0 },
    unauthorized: null,
    apiKey: 'k3VdW8pQy2LmZt4NcRf7HsJx1BvAe6Gu5TiKo09xQe',
  };
}

function shopNotes(): Note[] {
  const by = { author: 'owner@example.com' };
  return [
    { id: 1, day: ago(19 * dayMs).slice(0, 10), text: 'New prices', ...by, createdAt: ago(19 * dayMs) },
    {
      id: 2,
      day: ago(6 * dayMs).slice(0, 10),
      text: 'November letter sent',
      ...by,
      createdAt: ago(5 * dayMs),
    },
  ];
}

function shopFunnels(): Funnel[] {
  return [
    {
      id: 1,
      name: 'Buying a desk',
      withinDays: null,
      steps: [
        { page: '/products/*' },
        { event: 'add-to-cart' },
        { page: '/checkout' },
        { event: 'purchase', parameter: { name: 'plan', value: 'pro' } },
      ],
    },
    {
      id: 2,
      name: 'From the letter to an account',
      withinDays: 14,
      steps: [{ page: '/pricing' }, { event: 'signup' }],
    },
  ];
}

function shopSegments(): Segment[] {
  return [
    {
      id: 1,
      name: 'Mobile visitors from Germany, Austria and Switzerland',
      isPersonal: false,
      filters: [
        { dimension: 'country', anyOf: ['DE', 'AT', 'CH'] },
        { dimension: 'device', is: 'mobile' },
      ],
    },
    { id: 2, name: 'Search', isPersonal: true, filters: [{ dimension: 'channel', is: 'search' }] },
  ];
}

function shopGoals(): Goal[] {
  return [
    { id: 1, name: 'Bought something', goal: { event: 'purchase' } },
    { id: 2, name: null, goal: { event: 'signup' } },
    { id: 3, name: null, goal: { page: '/checkout*' } },
  ];
}

function auditEntries(): AuditEntry[] {
  const shop = { websiteId: 1, subject: 'shop.example.com' };
  const actions: Omit<AuditEntry, 'id' | 'at'>[] = [
    { actor: 'owner@example.com', action: 'website.key-revealed', ...shop, detail: {} },
    { actor: 'owner@example.com', action: 'website.key-regenerated', ...shop, detail: { keepOldHours: 24 } },
    {
      actor: 'owner@example.com',
      action: 'user.signed-in',
      websiteId: null,
      subject: 'owner@example.com',
      detail: {},
    },
    {
      actor: 'owner@example.com',
      action: 'website.contingent-changed',
      ...shop,
      detail: { contingent: { from: null, to: 250_000 } },
    },
    {
      actor: 'owner@example.com',
      action: 'website.changed',
      ...shop,
      detail: { name: { from: 'shop.example.com', to: 'Oak & Lamp shop' } },
    },
    { actor: 'command line', action: 'person.erased', ...shop, detail: { records: 1_204 } },
    {
      actor: 'owner@example.com',
      action: 'user.added',
      websiteId: null,
      subject: 'guest@example.com',
      detail: { role: 'viewer', websites: [1, 2] },
    },
    { actor: 'owner@example.com', action: 'token.added', ...shop, detail: { name: 'Weekly report' } },
    { actor: 'owner@example.com', action: 'website.share-on', ...shop, detail: {} },
    {
      actor: 'owner@example.com',
      action: 'note.added',
      ...shop,
      detail: { day: '2026-11-03', text: 'New prices' },
    },
    { actor: 'owner@example.com', action: 'funnel.added', ...shop, detail: { name: 'Buying a desk' } },
  ];
  return Array.from({ length: 120 }, (_, index) => ({
    id: 120 - index,
    at: ago(index * 7 * 60 * minuteMs),
    ...actions[index % actions.length]!,
  }));
}

/** A node on its first day: an admin, and nothing else. */
export function emptyData(): StandInData {
  return {
    ...fullData('admin'),
    websites: [],
    activity: new Map(),
    requests: [],
    tokens: [],
    audit: [],
    notes: new Map(),
    funnels: new Map(),
    segments: new Map(),
    goals: new Map(),
    users: fullData('admin').users.slice(0, 1),
  };
}
