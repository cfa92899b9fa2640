import type { IncomingHttpHeaders } from 'node:http';
import { type CookieKind, readCookie, writeCookie } from './cookie.ts';

const kind: CookieKind = { name: 'trackside_device', shape: /^[\w.-]{20,200}$/, sameSite: 'Strict' };
/** The longest that browsers keep any cookie. Every sign-in renews it. */
const maxAgeSeconds = 400 * 24 * 3600;

/**
 * Reads the proof that a browser keeps from an earlier sign-in (see KnownDevices). It outlives the session.
 */
export const readDeviceCookie = (headers: IncomingHttpHeaders, isOnTls: boolean) =>
  readCookie(kind, headers, isOnTls);

export const deviceCookie = (proof: string, isOnTls: boolean) =>
  writeCookie(kind, { value: proof, maxAgeSeconds }, isOnTls);
