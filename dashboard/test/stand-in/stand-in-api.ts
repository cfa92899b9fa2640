import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import { readExclusionValue } from '@trackside/contract/app/exclusions.ts';
import { type AppFaultCode, appFaults } from '@trackside/contract/app/fault-codes.ts';
import type { DryRun, Funnel, Goal, Note, Segment, WebsiteSettings } from '../../src/api/shapes.ts';
import { type StandInData, website } from './stand-in-data.ts';
import { standInLedger } from './stand-in-ledger.ts';

export type StandInAnswer = { status: number; body?: unknown; headers?: Record<string, string> };
type Body = Record<string, unknown>;
type Handler = (ids: number[], body: Body, query: URLSearchParams) => StandInAnswer;

const ok = (body: unknown, status = 200): StandInAnswer => ({ status, body });
const fault = (code: AppFaultCode, message: string, more: object = {}): StandInAnswer => ({
  status: appFaults[code],
  body: { code: appFaults[code], fault: code, message, ...more },
});

/** What people save for a website, by its id. Created when it is first asked for. */
function listOf<Value>(all: Map<number, Value[]>, id: number): Value[] {
  const list = all.get(id) ?? [];
  all.set(id, list);
  return list;
}

const nextId = (list: readonly { id: number }[]) => Math.max(0, ...list.map(({ id }) => id)) + 1;

function remove(list: { id: number }[], id: number | undefined): StandInAnswer {
  const at = list.findIndex((one) => one.id === id);
  if (at < 0) return fault('not-found', "Not found: this doesn't exist, or you don't have access");
  list.splice(at, 1);
  return { status: 204 };
}

function change(list: { id: number }[], id: number | undefined, body: object): StandInAnswer {
  const found = list.find((one) => one.id === id);
  if (found === undefined) return fault('not-found', 'Not found: there is nothing here, or not for you');
  return ok(Object.assign(found, body));
}

const dryRun: DryRun = {
  code: 200,
  message: 'Success',
  isExcluded: false,
  understood: {
    page: '/pricing',
    event: null,
    parameters: 0,
    browser: 'Firefox',
    os: 'Linux',
    country: 'DE',
    source: 'newsletter',
    bot: null,
    hasClientId: false,
    occurredAt: '2026-11-17T09:30:00.000Z',
    day: '2026-11-17',
    host: 'shop.example',
    query: 'utm_source=newsletter',
    channel: 'email',
    device: 'desktop',
  },
};

/** The API of the web application over a handful of objects, as far as its pages need it. */
export function standInApi(data: StandInData): Record<string, Handler> {
  const find = (id: number | undefined) => data.websites.find((one) => one.id === id);
  const withSite = (id: number | undefined, answer: (site: WebsiteSettings) => StandInAnswer) => {
    const site = find(id);
    return site === undefined
      ? fault('not-found', "Not found: this doesn't exist, or you don't have access")
      : answer(site);
  };

  return {
    'GET /api/setup': () => ok({ isNeeded: data.isSetupNeeded }),
    'POST /api/setup': (_, { token }) => {
      if (token !== 'right') return fault('not-allowed', 'This link does not work');
      data.isSetupNeeded = false;
      return ok(data.session, 201);
    },
    'GET /api/session': () => ok(data.session),
    'GET /api/sessions': () => ok({ sessions: data.sessions }),
    'DELETE /api/sessions/:id': ([id]) => {
      data.sessions = data.sessions.filter((session) => session.id !== String(id));
      return { status: 204 };
    },
    'POST /api/session': (_, { password }) => {
      if (data.throttleSeconds > 0)
        return {
          ...fault('too-many-attempts', 'Too many attempts'),
          headers: { 'Retry-After': String(data.throttleSeconds) },
        };
      if (password !== 'correct horse') return fault('wrong-credentials', 'Incorrect email or password.');
      data.session = {
        user: { id: 1, email: 'owner@example.com', role: 'admin', language: null },
        expiresAt: new Date().toISOString(),
      };
      return ok(data.session);
    },
    'DELETE /api/session': () => {
      data.session = undefined;
      return { status: 204 };
    },
    'PUT /api/session/language': (_, { language }) => {
      data.session = { ...data.session!, user: { ...data.session!.user, language: language as 'de' | null } };
      return ok(data.session);
    },
    'PUT /api/session/password': () =>
      fault('invalid', 'No', { fields: { currentPassword: 'This is not your current password.' } }),

    'GET /api/websites': () => ok({ websites: data.websites }),
    'POST /api/websites': (_, body) => {
      if (body.domain === 'taken.example.com')
        return fault('already-exists', 'No', {
          fields: { domain: 'A website with this domain already exists.' },
        });
      const added = website(data.websites.length + 1, body as Partial<WebsiteSettings>);
      data.websites.push(added);
      data.activity.set(added.id, { visitors: 0, visitorsBefore: 0, byHour: [] });
      return ok(added, 201);
    },
    'GET /api/websites/:id': ([id]) => withSite(id, (site) => ok(site)),
    'PATCH /api/websites/:id': ([id], { version, ...changes }) =>
      withSite(id, (site) => {
        if (version !== site.version) return fault('conflict', 'Changed in the meantime', { current: site });
        const shownDomain = (changes.domain as string | undefined) ?? site.shownDomain;
        const rules = changes.exclusions as Exclusion[] | undefined;
        for (const rule of rules ?? []) rule.value = readExclusionValue(rule)!;
        Object.assign(site, changes, { shownDomain, version: site.version + 1 });
        return ok(site);
      }),
    'DELETE /api/websites/:id': ([id]) =>
      withSite(id, (site) => {
        site.isDeleting = true;
        data.deletion = { state: 'running', deletedRecords: 312_000, allRecords: 1_204_881 };
        return ok(data.deletion, 202);
      }),
    'GET /api/deletions/:id': () => ok(data.deletion),
    'GET /api/websites/:id/activity': ([id]) =>
      data.isEngineAway ? fault('engine-away', 'The engine is starting') : ok(data.activity.get(id!)),
    'GET /api/websites/:id/ledger': ([id], _, query) =>
      withSite(id, ({ timezone }) => ok(standInLedger(query, timezone, data.ledger))),
    'GET /api/websites/:id/requests': (_, __, query) => {
      const after = query.get('after') ?? '';
      return ok({
        requests: data.requests.filter(({ at }) => at > after),
        skipped: data.skipped,
        excluded: 0,
        unauthorized: data.unauthorized,
      });
    },
    'GET /api/websites/:id/key': () => ok({ apiKey: data.apiKey }),
    'POST /api/websites/:id/key': ([id], { keepOldHours }) =>
      withSite(id, (site) => {
        const until = keepOldHours ? new Date(Date.now() + 86_400_000).toISOString() : null;
        site.key = {
          ...site.key,
          masked: 'Zq1x••••••••••••••••••••••••••••••••7Pkd',
          lastUsedAt: null,
          oldKeyUntil: until,
        };
        data.apiKey = 'Zq1xN4bWmT8cLr2VyHs6KfJe0GdAu9Xo5Ti3Qp7Pkd';
        return ok({ apiKey: data.apiKey, settings: site });
      }),
    'PUT /api/websites/:id/share': ([id], { isOn }) =>
      withSite(id, (site) => {
        site.share = { isOn: Boolean(isOn), path: isOn ? '/share/q7hV2mXc0TzLd9RkA4sEwg' : null };
        return ok(site);
      }),
    'GET /api/websites/:id/tokens': () => ok({ tokens: data.tokens }),
    'POST /api/websites/:id/tokens': (_, { name }) => {
      const made = {
        id: data.tokens.length + 1,
        name: String(name),
        createdAt: new Date().toISOString(),
        lastUsedAt: null,
      };
      data.tokens.push(made);
      return ok({ ...made, token: 'read_8Qv2LmZt4NcRf7HsJx1BvAe6Gu5TiKo0' }, 201);
    },
    'DELETE /api/websites/:id/tokens/:id': ([, tokenId]) => {
      data.tokens = data.tokens.filter(({ id }) => id !== tokenId);
      return { status: 204 };
    },
    'GET /api/websites/:id/notes': ([id]) => ok({ notes: listOf(data.notes, id!) }),
    'POST /api/websites/:id/notes': ([id], { day, text }) => {
      if (String(text).trim() === '') {
        const fields = { text: 'Note: expected 1 to 200 characters, got 0.' };
        return fault('invalid', fields.text, { fields });
      }
      const notes = listOf(data.notes, id!);
      const author = data.session?.user.email ?? '';
      const note: Note = {
        id: nextId(notes),
        day: String(day),
        text: String(text).trim(),
        author,
        createdAt: new Date().toISOString(),
      };
      notes.push(note);
      notes.sort((a, b) => a.day.localeCompare(b.day));
      return ok(note, 201);
    },
    'PUT /api/websites/:id/notes/:id': ([id, noteId], body) => change(listOf(data.notes, id!), noteId, body),
    'DELETE /api/websites/:id/notes/:id': ([id, noteId]) => remove(listOf(data.notes, id!), noteId),
    'GET /api/websites/:id/funnels': ([id]) => ok({ funnels: listOf(data.funnels, id!) }),
    'POST /api/websites/:id/funnels': ([id], body) => {
      if (String(body.name).trim() === '') {
        const fields = { name: 'Name: expected 1 to 100 characters, got 0.' };
        return fault('invalid', fields.name, { fields });
      }
      const funnels = listOf(data.funnels, id!);
      const funnel = { ...(body as Omit<Funnel, 'id'>), id: nextId(funnels) };
      funnels.push(funnel);
      return ok(funnel, 201);
    },
    'PUT /api/websites/:id/funnels': ([id], body) => {
      const funnels = listOf(data.funnels, id!);
      const places = body.ids as number[];
      funnels.sort((a, b) => places.indexOf(a.id) - places.indexOf(b.id));
      return ok({ funnels });
    },
    'PUT /api/websites/:id/funnels/:id': ([id, funnelId], body) =>
      change(listOf(data.funnels, id!), funnelId, body),
    'DELETE /api/websites/:id/funnels/:id': ([id, funnelId]) => remove(listOf(data.funnels, id!), funnelId),
    'GET /api/websites/:id/segments': ([id]) => ok({ segments: listOf(data.segments, id!) }),
    'POST /api/websites/:id/segments': ([id], body) => {
      const segments = listOf(data.segments, id!);
      if (segments.some(({ name }) => name === body.name)) {
        const fields = { name: 'There is already a segment of this name.' };
        return fault('already-exists', fields.name, { fields });
      }
      const segment = { ...(body as Omit<Segment, 'id'>), id: nextId(segments) };
      segments.push(segment);
      return ok(segment, 201);
    },
    'PATCH /api/websites/:id/segments/:id': ([id, segmentId], changes) => {
      const segment = listOf(data.segments, id!).find((one) => one.id === segmentId);
      if (segment === undefined)
        return fault('not-found', 'Not found: there is nothing here, or not for you');
      return ok(Object.assign(segment, changes));
    },
    'DELETE /api/websites/:id/segments/:id': ([id, segmentId]) =>
      remove(listOf(data.segments, id!), segmentId),
    'POST /api/websites/:id/goals': ([id], body) => {
      const { name, goal } = body as { name?: string; goal: Goal['goal'] };
      const goals = listOf(data.goals, id!);
      if (goals.some((one) => JSON.stringify(one.goal) === JSON.stringify(goal))) {
        const fields = { goal: 'It is already a goal.' };
        return fault('already-exists', fields.goal, { fields });
      }
      const added: Goal = { id: nextId(goals), name: name || null, goal };
      goals.push(added);
      return ok(added, 201);
    },
    'PATCH /api/websites/:id/goals/:id': ([id, goalId], { name, ...changes }) => {
      const goal = listOf(data.goals, id!).find((one) => one.id === goalId);
      if (goal === undefined) return fault('not-found', 'Not Found');
      return ok(Object.assign(goal, changes, name === undefined ? {} : { name: name || null }));
    },
    'DELETE /api/websites/:id/goals/:id': ([id, goalId]) => remove(listOf(data.goals, id!), goalId),
    'POST /api/websites/:id/test-view': () => ok({ code: 200, message: 'Success' }),
    'POST /api/websites/:id/exclusions/preview': (_, { exclusions }) => {
      const rules = (exclusions as Exclusion[]).map((rule) => ({
        ...rule,
        records: rule.kind === 'network' || rule.kind === 'user-agent' ? null : 310,
      }));
      return ok({ records: 12_400, excluded: 310, rules });
    },
    'POST /api/websites/:id/dry-run': () => ok(dryRun),
    'GET /api/websites/:id/demo': () => ok(data.demo),
    'POST /api/websites/:id/demo': () => {
      data.demo = { state: 'loading', done: 0.42, records: 20_000 };
      return ok(data.demo, 202);
    },
    'DELETE /api/websites/:id/demo': () => {
      data.demo = { ...data.demo, state: 'removing' };
      return ok(data.demo, 202);
    },
    'POST /api/websites/:id/person/erase': () => ok({ records: 12 }),
    'GET /api/users': () => ok({ users: data.users }),
    'GET /api/audit': (_, __, query) => {
      const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
      const older = data.audit.filter(({ id }) => id < before);
      return ok({ entries: older.slice(0, 50), hasMore: older.length > 50 });
    },
  };
}
