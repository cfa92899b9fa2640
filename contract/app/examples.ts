import type * as answers from './answers.ts';
import type * as forms from './forms.ts';
import type { LedgerAnswer, LedgerCounts } from './ledger.ts';

const email = 'ada@example.com';
const createdAt = '2026-11-03T09:12:00.000Z';
const lastUsedAt = '2026-11-16T07:00:00.000Z';

const session: answers.SessionAnswer = {
  user: { id: 1, email, role: 'admin', language: 'en' },
  expiresAt: '2026-12-16T07:00:00.000Z',
};

const website: answers.WebsiteAnswer = {
  id: 1,
  name: 'Shop',
  domain: 'shop.example',
  shownDomain: 'shop.example',
  timezone: 'Europe/Berlin',
  contingent: 1_000_000,
  createdAt,
  isDeleting: false,
  usage: { used: 48_213, refused: 0, limit: 1_000_000, resetsAt: '2026-12-01T00:00:00.000Z' },
};

const settings: answers.WebsiteSettingsAnswer = {
  ...website,
  version: 4,
  retentionDays: null,
  exclusions: [{ kind: 'path', value: '/admin/*' }],
  readOrigins: ['https://www.shop.example'],
  retention: { lastRunAt: null },
  ignoreTrailingSlash: true,
  ignoreCase: false,
  ignoreWww: false,
  key: { masked: 'Ab3d…x9_Z', createdAt, lastUsedAt, oldKeyUntil: null },
  share: { isOn: false, path: null },
};

const apiKey = 'Ab3dEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEx9_Z';
const deletion: answers.DeletionAnswer = { state: 'running', deletedRecords: 12_000, allRecords: 48_213 };
const token: answers.ReadTokenAnswer = { id: 2, name: 'Weekly report', createdAt, lastUsedAt };
const newNote: forms.AddNoteForm = { day: '2026-11-03', text: 'New prices' };
const note: answers.NoteAnswer = { id: 5, ...newNote, author: email, createdAt };
const newFunnel: forms.AddFunnelForm = {
  name: 'Checkout',
  steps: [{ page: '/cart' }, { event: 'Purchase', parameter: { name: 'plan', value: 'team' } }],
  withinDays: null,
};
const funnel: answers.FunnelAnswer = { id: 3, ...newFunnel };
const newSegment: forms.AddSegmentForm = {
  name: 'Germany',
  filters: [{ dimension: 'country', is: 'DE' }],
  isPersonal: true,
};
const segment: answers.SegmentAnswer = { id: 4, ...newSegment };
const newGoal: forms.AddGoalForm = { name: 'Paid', goal: { event: 'Purchase' } };
const goal: answers.GoalAnswer = { id: 6, name: 'Paid', goal: { event: 'Purchase' } };
const user: answers.UserAnswer = {
  id: 2,
  email: 'grace@example.com',
  role: 'viewer',
  createdAt,
  lastSignInAt: null,
  websites: [1],
};

const ledgerCounts: LedgerCounts = {
  sent: 48_210,
  accepted: 47_412,
  refused: 561,
  excluded: 219,
  overQuota: 0,
  missing: 18,
  repeated: 12,
};
const ledgerHour = '2026-11-16T07:00:00.000Z';

/** An example of each form and each answer, by its name in the OpenAPI document. */
export const appExamples = {
  Setup: { isNeeded: false } satisfies answers.SetupAnswer,
  NewAdmin: {
    token: 'the-token-of-the-link',
    email,
    password: 'a short phrase to remember',
  } satisfies forms.SetupForm,
  Session: session,
  SignIn: { email, password: 'a short phrase to remember' } satisfies forms.SignInForm,
  Sessions: {
    sessions: [{ id: 'c2Vzc2lvbg', device: 'Firefox on Linux', createdAt, lastUsedAt, isCurrent: true }],
  } satisfies answers.SessionsAnswer,
  LanguageChoice: { language: 'de' } satisfies forms.ChooseLanguageForm,
  PasswordChange: {
    currentPassword: 'a short phrase to remember',
    newPassword: 'another phrase to remember',
  } satisfies forms.ChangePasswordForm,
  Websites: { websites: [website] } satisfies answers.WebsitesAnswer,
  NewWebsite: {
    domain: 'shop.example',
    name: 'Shop',
    timezone: 'Europe/Berlin',
    contingent: 1_000_000,
  } satisfies forms.AddWebsiteForm,
  WebsiteSettings: settings,
  WebsiteChange: { version: 4, ignoreTrailingSlash: true } satisfies forms.ChangeWebsiteForm,
  WebsiteRemoval: { confirm: 'shop.example' },
  Deletion: deletion,
  ApiKey: { apiKey } satisfies answers.ApiKeyAnswer,
  NewApiKey: { apiKey, settings } satisfies answers.NewApiKeyAnswer,
  KeyRenewal: { keepOldHours: 24 } satisfies forms.RegenerateKeyForm,
  ShareChange: { isOn: true } satisfies forms.ShareForm,
  Share: {
    website: { id: 1, name: 'Shop', shownDomain: 'shop.example', timezone: 'Europe/Berlin' },
    demoRecords: 0,
  } satisfies answers.ShareAnswer,
  ReadTokens: { tokens: [token] } satisfies answers.ReadTokensAnswer,
  NewReadToken: {
    ...token,
    lastUsedAt: null,
    token: 'tsr_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE1',
  } satisfies answers.NewReadTokenAnswer,
  TokenName: { name: 'Weekly report' },
  Person: { clientId: 'customer-1815' },
  Erased: { records: 112 } satisfies answers.ErasedAnswer,
  Activity: {
    visitors: 1204,
    visitorsBefore: 1108,
    byHour: [31, 12, 8, 5, 4, 9, 22, 48, 71, 84, 90, 88, 76, 81, 79, 74, 70, 68, 66, 61, 58, 45, 39, 15],
  } satisfies answers.ActivityAnswer,
  LiveScene: {
    asOf: lastUsedAt,
    visitors: 12,
    minutes: [{ minutesAgo: 0, visitors: 3, pageViews: 4 }],
    pages: [{ value: '/pricing', visitors: 5 }],
    sources: [{ value: 'Google', visitors: 4 }],
    countries: [{ value: 'DE', visitors: 6 }],
    latest: [
      {
        at: lastUsedAt,
        page: '/pricing',
        event: null,
        country: 'DE',
        source: 'Google',
        browser: 'Firefox',
        device: 'desktop',
      },
    ],
  } satisfies answers.LiveSceneAnswer,
  RecentRequests: {
    requests: [
      {
        at: lastUsedAt,
        kind: 'page_view',
        code: 400,
        message: 'Metrics.Language.Code: expected an ISO 639-1 code of two letters, got "deu"',
        understood: null,
        shape: { Metrics: { Language: { Code: 'string of 3' } } },
      },
    ],
    skipped: 0,
    excluded: 0,
    unauthorized: null,
  } satisfies answers.RecentRequestsAnswer,
  TestView: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)', language: 'en' } satisfies forms.TestViewForm,
  TestViewAnswer: { code: 200, message: 'Success' },
  DryRun: { kind: 'page_view', body: '{"Metrics":{}}' } satisfies forms.DryRunForm,
  DryRunAnswer: {
    code: 400,
    message: 'Metrics.Browser: expected an object, got nothing',
    isExcluded: false,
    understood: null,
  } satisfies answers.DryRunAnswer,
  Exclusions: { exclusions: [{ kind: 'path', value: '/admin/*' }] } satisfies forms.ExclusionsForm,
  ExcludedRecords: {
    records: 12_400,
    excluded: 310,
    rules: [{ kind: 'path', value: '/admin/*', records: 310 }],
  } satisfies answers.ExcludedAnswer,
  Ledger: {
    timezone: 'Europe/Berlin',
    from: '2026-11-16',
    to: '2026-11-16',
    since: '2026-11-03T09:00:00.000Z',
    totals: ledgerCounts,
    numbered: 48_210,
    days: [{ day: '2026-11-16', ...ledgerCounts }],
    hours: [{ hour: ledgerHour, ...ledgerCounts }],
    refusals: [
      {
        code: 400,
        field: 'Metrics.Page.Absolute',
        expected: 'an absolute http or https URL of at most 8192 characters',
        got: 'nothing',
        records: 561,
        firstAt: ledgerHour,
        lastAt: ledgerHour,
        releases: [{ release: '1.42', records: 561, sent: 48_210 }],
      },
    ],
    releases: [{ release: '1.42', firstAt: ledgerHour, lastAt: ledgerHour, ...ledgerCounts }],
    keys: [{ id: '6f1b02c9', masked: 'Ab3d…x9_Z', isCurrent: true, ...ledgerCounts }],
    gaps: [{ stream: 'web-1', from: 17, to: 34, records: 18, hour: ledgerHour }],
  } satisfies LedgerAnswer,
  Demo: { state: 'loading', done: 0.25, records: 120_000 } satisfies answers.DemoAnswer,
  DemoDays: { days: 365 },
  Notes: { notes: [note] } satisfies answers.NotesAnswer,
  Note: note,
  NewNote: newNote,
  SavedFunnels: { funnels: [funnel] } satisfies answers.FunnelsAnswer,
  SavedFunnel: funnel,
  NewFunnel: newFunnel,
  FunnelOrder: { ids: [3] } satisfies forms.ArrangeFunnelsForm,
  SavedSegments: { segments: [segment] } satisfies answers.SegmentsAnswer,
  SavedSegment: segment,
  NewSegment: newSegment,
  SegmentChange: { name: 'Germany' } satisfies forms.ChangeSegmentForm,
  SavedGoals: { goals: [goal] } satisfies answers.GoalsAnswer,
  SavedGoal: goal,
  NewGoal: newGoal,
  GoalChange: { name: 'Paid' } satisfies forms.ChangeGoalForm,
  Users: { users: [user] } satisfies answers.UsersAnswer,
  User: user,
  NewUser: {
    email: 'grace@example.com',
    password: 'a short phrase to remember',
    role: 'viewer',
    websites: [1],
  } satisfies forms.AddUserForm,
  UserChange: { role: 'admin' } satisfies forms.ChangeUserForm,
  Audit: {
    entries: [
      {
        id: 41,
        at: lastUsedAt,
        actor: email,
        action: 'note.added',
        websiteId: 1,
        subject: 'New prices',
        detail: { day: '2026-11-03' },
      },
    ],
    hasMore: false,
  } satisfies answers.AuditAnswer,
};
