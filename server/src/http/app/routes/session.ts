import { sessionShape, sessionsShape } from '@trackside/contract/app/answers.ts';
import { changePasswordForm, chooseLanguageForm, signInForm } from '@trackside/contract/app/forms.ts';
import { changePassword } from '../../../actions/change-password.ts';
import { chooseLanguage } from '../../../actions/choose-language.ts';
import { endSession } from '../../../actions/end-session.ts';
import { signIn } from '../../../actions/sign-in.ts';
import { signOut } from '../../../actions/sign-out.ts';
import { signOutEverywhere } from '../../../actions/sign-out-everywhere.ts';
import type { Control } from '../../../control/open-control.ts';
import { answerSession, toListedSession, toSessionAnswer } from '../answer-session.ts';
import { AppFault } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';

type Parts = Pick<Control, 'users' | 'sessions' | 'signIn' | 'transact'>;

const wrong = () => new AppFault('wrong-credentials', 'Incorrect email or password.');
/** Makes people who guess passwords wait before their next attempt. */
const tooMany = (waitSeconds: number) =>
  new AppFault(
    'too-many-attempts',
    `Too many attempts. Try again in ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}.`,
    {
      headers: { 'Retry-After': String(waitSeconds) },
    },
  );

const tooBusy = {
  429: 'Too many attempts; Retry-After has the seconds until the next one is possible.',
  503: 'Too many attempts at once; Retry-After says when to try again.',
};

/** Returns the routes for signing in and out, and for changing one's own password. */
export function sessionRoutes(control: Parts) {
  return [
    appRoute({
      method: 'GET',
      path: '/api/session',
      access: 'user',
      summary: 'Get the signed-in user',
      answers: { code: 200, schema: sessionShape, description: 'The user of this session.' },
      async handle({ user, sessionToken }) {
        const session = await control.sessions.find(sessionToken);
        return { body: toSessionAnswer(user, session?.expiresAt ?? 0) };
      },
    }),
    appRoute({
      method: 'POST',
      path: '/api/session',
      access: 'anyone',
      summary: 'Sign in',
      body: { schema: signInForm },
      answers: { code: 200, schema: sessionShape, description: 'Signed in; the session is in a cookie.' },
      faults: { 401: 'Incorrect email or password.', ...tooBusy },
      refuseEarly(from) {
        const { waitSeconds } = control.signIn.knownWait(from);
        if (waitSeconds > 0) throw tooMany(waitSeconds);
      },
      async handle({ body, address, deviceProof, device, sessionToken }) {
        const outcome = await signIn(control, { ...body, address, deviceProof, device, sessionToken });
        if ('waitSeconds' in outcome) throw tooMany(outcome.waitSeconds);
        if ('refused' in outcome) throw wrong();
        return await answerSession(control, outcome, { deviceProof });
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/session',
      access: 'user',
      summary: 'Sign out',
      answers: { code: 204, description: 'Signed out.' },
      async handle({ sessionToken }) {
        await signOut(control, sessionToken);
        return { session: 'ended' };
      },
    }),
    appRoute({
      method: 'GET',
      path: '/api/sessions',
      access: 'user',
      summary: 'List your own sessions',
      answers: { code: 200, schema: sessionsShape, description: 'The last used first.' },
      handle: async ({ user, sessionToken }) => ({
        body: { sessions: (await control.sessions.list(user.id, sessionToken)).map(toListedSession) },
      }),
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/sessions/:sessionId',
      access: 'user',
      summary: 'End one of your own sessions',
      answers: { code: 204, description: 'Ended. Its device has to sign in again.' },
      async handle({ user, params }) {
        await endSession(control, user, params.sessionId!);
        return {};
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/sessions',
      access: 'user',
      summary: 'Sign out everywhere',
      answers: { code: 204, description: 'All sessions of this user have ended, including this one.' },
      async handle({ user }) {
        await signOutEverywhere(control, user);
        return { session: 'ended' };
      },
    }),
    appRoute({
      method: 'PUT',
      path: '/api/session/language',
      access: 'user',
      summary: 'Choose the language of the pages',
      body: { schema: chooseLanguageForm },
      answers: { code: 200, schema: sessionShape, description: 'Chosen, for every device of this user.' },
      async handle({ user, body, sessionToken }) {
        const changed = await chooseLanguage(control, user, body.language);
        const session = await control.sessions.find(sessionToken);
        return { body: toSessionAnswer(changed, session?.expiresAt ?? 0) };
      },
    }),
    appRoute({
      method: 'PUT',
      path: '/api/session/password',
      access: 'user',
      summary: 'Change your own password',
      body: { schema: changePasswordForm },
      answers: {
        code: 200,
        schema: sessionShape,
        description: 'Changed. All other sessions of this user have ended.',
      },
      faults: tooBusy,
      async handle({ user, body, sessionToken, deviceProof, device }) {
        const outcome = await changePassword(control, user, { ...body, sessionToken, device });
        if ('waitSeconds' in outcome) throw tooMany(outcome.waitSeconds);
        if ('refused' in outcome) {
          const text = 'This is not your current password.';
          throw new AppFault('invalid', text, { fields: { currentPassword: text } });
        }
        return await answerSession(control, { user, session: outcome.session }, { deviceProof });
      },
    }),
  ];
}
