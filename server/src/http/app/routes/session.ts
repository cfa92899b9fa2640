import type { Control } from '../../../control/open-control.ts';
import type { SignInAttempt } from '../../../control/sign-in-throttle.ts';
import { AppFault } from '../app-fault.ts';
import { appRoute } from '../app-route.ts';
import { emailField, newPasswordField, passwordField } from '../fields.ts';
import { sessionShape } from '../shapes.ts';
import { startSession, toSessionAnswer } from '../start-session.ts';

type Parts = Pick<Control, 'users' | 'sessions' | 'signInThrottle' | 'auditLog'>;

const wrong = () => new AppFault(401, 'The e-mail address or the password is not right.');

/** Signing in and out, and the password of who is signed in. */
export function sessionRoutes(control: Parts) {
  /** Who guesses waits before the next attempt. */
  async function begin(attempt: SignInAttempt): Promise<void> {
    const { waitSeconds } = await control.signInThrottle.begin(attempt);
    if (waitSeconds === 0) return;
    throw new AppFault(429, `Too many attempts: wait ${waitSeconds} seconds, then try again.`, {
      headers: { 'Retry-After': String(waitSeconds) },
    });
  }

  return [
    appRoute({
      method: 'GET',
      path: '/api/session',
      access: 'user',
      summary: 'Who is signed in',
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
      body: { email: emailField, password: passwordField },
      answers: { code: 200, schema: sessionShape, description: 'Signed in; the session is in a cookie.' },
      async handle({ body, address, sessionToken }) {
        const attempt = { email: body.email, address };
        await begin(attempt);
        const user = await control.users.verify(body.email, body.password);
        if (user === undefined) throw wrong();
        await control.signInThrottle.succeeded(attempt);
        if (sessionToken !== '') await control.sessions.end(sessionToken);
        await control.auditLog.add({ actor: user.email, action: 'user.signed-in', subject: user.email });
        return await startSession(control, user);
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/session',
      access: 'user',
      summary: 'Sign out here',
      answers: { code: 204, description: 'Signed out.' },
      async handle({ sessionToken }) {
        await control.sessions.end(sessionToken);
        return { session: 'ended' };
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api/sessions',
      access: 'user',
      summary: 'Sign out everywhere',
      answers: { code: 204, description: 'All sessions of this user have ended, this one too.' },
      async handle({ user }) {
        await control.sessions.endAll(user.id);
        const { email } = user;
        await control.auditLog.add({ actor: email, action: 'user.signed-out-everywhere', subject: email });
        return { session: 'ended' };
      },
    }),
    appRoute({
      method: 'PUT',
      path: '/api/session/password',
      access: 'user',
      summary: 'Change the own password',
      body: { currentPassword: passwordField, newPassword: newPasswordField },
      answers: {
        code: 200,
        schema: sessionShape,
        description: 'Changed. All other sessions of this user have ended.',
      },
      async handle({ user, body, address }) {
        const attempt = { email: user.email, address };
        await begin(attempt);
        if ((await control.users.verify(user.email, body.currentPassword)) === undefined) {
          const text = 'This is not your current password.';
          throw new AppFault(400, text, { fields: { currentPassword: text } });
        }
        await control.signInThrottle.succeeded(attempt);
        await control.users.setPassword(user.id, body.newPassword);
        const { email } = user;
        await control.auditLog.add({ actor: email, action: 'user.password-changed', subject: email });
        return await startSession(control, user);
      },
    }),
  ];
}
