import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { WritableControl } from '../control/open-control.ts';
import { openTestControl } from '../control/test-control.ts';
import { readTables, refuseEntries } from '../control/test-database.ts';
import { addGoal } from './add-goal.ts';
import { addNote } from './add-note.ts';
import { addUser } from './add-user.ts';
import { addWebsite } from './add-website.ts';
import { arrangeFunnels } from './arrange-funnels.ts';
import { changeFunnel } from './change-funnel.ts';
import { changeGoal } from './change-goal.ts';
import { changeNote } from './change-note.ts';
import { changePassword } from './change-password.ts';
import { changeSegment } from './change-segment.ts';
import { changeUser } from './change-user.ts';
import { changeWebsite } from './change-website.ts';
import { createToken } from './create-token.ts';
import { divideWebsite } from './divide-website.ts';
import { endSession } from './end-session.ts';
import { erasePerson } from './erase-person.ts';
import { exportRecords } from './export-records.ts';
import { loadDemo } from './load-demo.ts';
import { regenerateKey } from './regenerate-key.ts';
import { removeDemo } from './remove-demo.ts';
import { removeFunnel } from './remove-funnel.ts';
import { removeGoal } from './remove-goal.ts';
import { removeNote } from './remove-note.ts';
import { removeSegment } from './remove-segment.ts';
import { removeUser } from './remove-user.ts';
import { removeWebsite } from './remove-website.ts';
import { revealKey } from './reveal-key.ts';
import { revokeToken } from './revoke-token.ts';
import { saveFunnel } from './save-funnel.ts';
import { saveSegment } from './save-segment.ts';
import { setShareLink } from './set-share-link.ts';
import { setUp } from './set-up.ts';
import { signIn } from './sign-in.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';
import { ada, aTest, newPassword, password, readEntries } from './test-actions.ts';

type Case = {
  /** Sets up what the action needs, and returns the action. */
  prepare: (control: WritableControl) => Promise<() => Promise<unknown>>;
  entry: { action: string; subject: string; websiteId?: number; detail?: Record<string, unknown> };
};

/** Files that are not an action, or that are an action without an entry, and why. */
const withoutEntry: Record<string, string> = {
  actor: 'a type',
  entries: 'makes the entries',
  'choose-language': 'changes only what its own user sees',
  'sign-out': 'ends only the session of who asks, whose sign-in is in the log',
};

const aboutWebsite = { websiteId: 1, subject: 'a.test' };
const funnel = { name: 'Sign-up', steps: [{ page: '/' }, { page: '/welcome' }], withinDays: null };
const filters: readonly Filter[] = [{ dimension: 'country', is: 'DE' }];
const segment = { name: 'Germany', filters, userId: null };
const goal = { name: null, goal: { page: '/thanks' } };
const note = { day: '2026-03-10', text: 'Relaunch' };

const cases: Record<string, Case> = {
  'add-website': {
    prepare: async (control) => () =>
      addWebsite(control, ada, { domain: 'A.test', timezone: 'UTC', contingent: null }),
    entry: { action: 'website.added', ...aboutWebsite },
  },
  'change-website': onWebsite((control) => () => changeWebsite(control, ada, { id: 1, contingent: 5 }), {
    action: 'website.contingent-changed',
    detail: { contingent: { from: null, to: 5 } },
  }),
  'remove-website': onWebsite(
    (control) => () =>
      removeWebsite({ control, run: async () => {} }, ada, { website: aTest, confirm: 'a.test' }),
    { action: 'website.deletion-started' },
  ),
  'divide-website': onWebsite(
    (control) => () => divideWebsite({ control, run: async () => {} }, ada, aTest),
    {
      action: 'website.division-started',
    },
  ),
  'regenerate-key': onWebsite(
    (control) => () => regenerateKey(control, ada, { website: aTest, keepOldHours: 24 }),
    { action: 'website.key-regenerated', detail: { keepOldHours: 24 } },
  ),
  'reveal-key': onWebsite((control) => () => revealKey(control, ada, aTest), {
    action: 'website.key-revealed',
  }),
  'set-share-link': onWebsite((control) => () => setShareLink(control, ada, { website: aTest, to: 'on' }), {
    action: 'website.share-on',
  }),
  'create-token': onWebsite(
    (control) => () => createToken(control, ada, { website: aTest, name: ' Grafana ' }),
    { action: 'token.added', detail: { name: 'Grafana' } },
  ),
  'revoke-token': onWebsite(
    async (control) => {
      const { id } = await control.readTokens.add(1, 'Grafana');
      return () => revokeToken(control, ada, id);
    },
    { action: 'token.revoked', detail: { name: 'Grafana' } },
  ),
  'add-note': onWebsite(
    (control) => () => addNote(control, ada, { website: aTest, ...note, author: ada.email }),
    { action: 'note.added', detail: note },
  ),
  'change-note': onWebsite(
    async (control) => {
      const { id } = await control.notes.add(1, { ...note, author: ada.email });
      return () => changeNote(control, ada, { website: aTest, ...note, text: 'Relaunched', id });
    },
    { action: 'note.changed', detail: { ...note, text: 'Relaunched' } },
  ),
  'remove-note': onWebsite(
    async (control) => {
      const { id } = await control.notes.add(1, { ...note, author: ada.email });
      return () => removeNote(control, ada, { website: aTest, id });
    },
    { action: 'note.removed', detail: note },
  ),
  'save-funnel': onWebsite((control) => () => saveFunnel(control, ada, { website: aTest, funnel }), {
    action: 'funnel.added',
    detail: { name: 'Sign-up' },
  }),
  'arrange-funnels': onWebsite(
    async (control) => {
      const { id } = await control.savedFunnels.add(1, funnel);
      return () => arrangeFunnels(control, ada, { website: aTest, ids: [id] });
    },
    { action: 'funnel.arranged' },
  ),
  'change-funnel': onWebsite(
    async (control) => {
      const { id } = await control.savedFunnels.add(1, funnel);
      return () => changeFunnel(control, ada, { website: aTest, funnel: { ...funnel, id, name: 'Joining' } });
    },
    { action: 'funnel.changed', detail: { name: 'Joining' } },
  ),
  'remove-funnel': onWebsite(
    async (control) => {
      const { id } = await control.savedFunnels.add(1, funnel);
      return () => removeFunnel(control, ada, { website: aTest, id });
    },
    { action: 'funnel.removed', detail: { name: 'Sign-up' } },
  ),
  'save-segment': onWebsite((control) => () => saveSegment(control, ada, { website: aTest, segment }), {
    action: 'segment.added',
    detail: { name: 'Germany' },
  }),
  'change-segment': onWebsite(
    async (control) => {
      const { id: userId } = await control.users.add({ ...ada, password, role: 'admin' });
      const { id } = await control.savedSegments.add(1, { ...segment, userId });
      return () => changeSegment(control, ada, { website: aTest, id, changes: { name: 'At home' } });
    },
    // What people call their own segments is private.
    { action: 'segment.changed', detail: { isPersonal: true } },
  ),
  'remove-segment': onWebsite(
    async (control) => {
      const { id } = await control.savedSegments.add(1, segment);
      return () => removeSegment(control, ada, { website: aTest, id });
    },
    { action: 'segment.removed', detail: { name: 'Germany' } },
  ),
  'add-goal': onWebsite((control) => () => addGoal(control, ada, { website: aTest, goal }), {
    action: 'goal.added',
    detail: { name: '/thanks' },
  }),
  'change-goal': onWebsite(
    async (control) => {
      const { id } = await control.goals.add(1, goal);
      return () => changeGoal(control, ada, { website: aTest, id, changes: { name: 'Bought' } });
    },
    { action: 'goal.changed', detail: { name: 'Bought' } },
  ),
  'remove-goal': onWebsite(
    async (control) => {
      const { id } = await control.goals.add(1, { ...goal, name: 'Bought' });
      return () => removeGoal(control, ada, { website: aTest, id });
    },
    { action: 'goal.removed', detail: { name: 'Bought' } },
  ),
  'erase-person': onWebsite(
    (control) => () => {
      const run = async () => ({ records: 0 });
      return erasePerson({ control, run }, ada, { website: aTest, visitorId: '7' });
    },
    { action: 'person.erasure-started' },
  ),
  'load-demo': onWebsite(
    (control) => () => loadDemo({ control, isPossible: async () => true, begin() {} }, ada, aTest),
    { action: 'website.demo-loaded' },
  ),
  'remove-demo': onWebsite(
    (control) => () => removeDemo({ control, isPossible: async () => true, begin() {} }, ada, aTest),
    { action: 'website.demo-removed' },
  ),
  'export-records': onWebsite(
    (control) => () =>
      exportRecords({ control, open: async () => Readable.from([]) }, ada, aTest, { person: true }),
    { action: 'person.exported' },
  ),
  'add-user': {
    prepare: async (control) => () => {
      const email = 'Bob@example.com';
      return addUser(control, ada, { email, password, role: 'admin', websites: [] });
    },
    entry: { action: 'user.added', subject: 'bob@example.com', detail: { role: 'admin', websites: [] } },
  },
  'change-user': {
    async prepare(control) {
      await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
      await control.users.add({ ...ada, password, role: 'admin' });
      const { id } = await control.users.add({ email: 'bob@example.com', password, role: 'admin' });
      return () => changeUser(control, ada, { id, role: 'viewer', websites: [1] });
    },
    entry: { action: 'user.changed', subject: 'bob@example.com', detail: { role: 'viewer', websites: [1] } },
  },
  'remove-user': {
    async prepare(control) {
      await control.users.add({ ...ada, password, role: 'admin' });
      const { id } = await control.users.add({ email: 'bob@example.com', password, role: 'viewer' });
      return () => removeUser(control, ada, id);
    },
    entry: { action: 'user.removed', subject: 'bob@example.com' },
  },
  'set-up': {
    async prepare(control) {
      const token = await control.users.makeSetupToken();
      return () => setUp(control, { ...ada, token, password });
    },
    entry: { action: 'user.added', subject: ada.email, detail: { role: 'admin', websites: [] } },
  },
  'sign-in': {
    async prepare(control) {
      await control.users.add({ ...ada, password, role: 'admin' });
      const from = { address: '203.0.113.7', deviceProof: undefined, sessionToken: '' };
      return () => signIn(control, { ...ada, ...from, password });
    },
    entry: { action: 'user.signed-in', subject: ada.email },
  },
  'sign-out-everywhere': {
    async prepare(control) {
      const user = await control.users.add({ ...ada, password, role: 'admin' });
      await control.sessions.start(user.id);
      return () => signOutEverywhere(control, user);
    },
    entry: { action: 'user.signed-out-everywhere', subject: ada.email },
  },
  'end-session': {
    async prepare(control) {
      const user = await control.users.add({ ...ada, password, role: 'admin' });
      const { token } = await control.sessions.start(user.id, 'Firefox on Linux');
      const [session] = await control.sessions.list(user.id, token);
      return () => endSession(control, user, session!.id);
    },
    entry: { action: 'user.session-ended', subject: ada.email },
  },
  'change-password': {
    async prepare(control) {
      const user = await control.users.add({ ...ada, password, role: 'admin' });
      const { token: sessionToken } = await control.sessions.start(user.id);
      const passwords = { sessionToken, currentPassword: password, newPassword };
      return () => changePassword(control, user, passwords);
    },
    entry: { action: 'user.password-changed', subject: ada.email },
  },
};

/** Returns a case for an action on the website a.test. */
function onWebsite(
  prepare: (control: WritableControl) => (() => Promise<unknown>) | Promise<() => Promise<unknown>>,
  entry: Omit<Case['entry'], 'subject' | 'websiteId'>,
): Case {
  return {
    async prepare(control) {
      await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
      return await prepare(control);
    },
    entry: { ...entry, ...aboutWebsite },
  };
}

test('every action is tested here, or is known to need no entry', () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname })
    .filter((name) => !/\.test\.ts$|^test-/.test(name))
    .map((name) => name.replace(/\.ts$/, ''));
  assert.deepEqual(files.toSorted(), [...Object.keys(cases), ...Object.keys(withoutEntry)].toSorted());
});

for (const [name, { prepare, entry }] of Object.entries(cases)) {
  test(`${name} happens together with its entry in the audit log, or not at all`, async (t) => {
    const { control, folder } = await openTestControl(t);
    const act = await prepare(control);
    const before = await readTables(folder);
    const allowEntries = await refuseEntries(folder);
    await assert.rejects(act(), { message: /no entries/ });
    assert.deepEqual(withoutAttempts(await readTables(folder)), withoutAttempts(before));
    await allowEntries();
    await act();
    assert.deepEqual(await readEntries(control), [
      { actor: ada.email, websiteId: null, detail: {}, ...entry },
    ]);
  });
}

/** Leaves out the sign-in attempts, which count even if the action fails. */
function withoutAttempts({ sign_in_failures, ...tables }: Record<string, unknown[]>) {
  return tables;
}
