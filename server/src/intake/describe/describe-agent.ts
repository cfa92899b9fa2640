import Bowser from 'bowser';
import {
  browserNames,
  type Device,
  specialBrowsers,
  specialDevices,
  specialSystems,
  systemNames,
  tabletModel,
  windowsVersions,
} from './agent-names.ts';

export type AgentFacts = {
  browser: string;
  browserVersion: string;
  os: string;
  osVersion: string;
  device: Device;
};

const unknownAgent: AgentFacts = {
  browser: '',
  browserVersion: '',
  os: '',
  osVersion: '',
  device: 'unknown',
};

/**
 * Returns the browser, system and device class of a user agent. Names come from closed lists, and versions
 * are digits.
 */
export function describeAgent(userAgent: string): AgentFacts {
  if (userAgent === '') return unknownAgent;
  const parsed = Bowser.parse(userAgent);
  const os = describeSystem(userAgent, parsed.os);
  return {
    ...describeBrowser(userAgent, parsed.browser),
    os: os.name,
    osVersion: os.version,
    device: describeDevice(userAgent, os.name, parsed.platform.type),
  };
}

type Details = { name?: string; version?: string; versionName?: string };

function describeBrowser(userAgent: string, found: Details): Pick<AgentFacts, 'browser' | 'browserVersion'> {
  for (const [browser, pattern] of specialBrowsers) {
    const match = pattern.exec(userAgent);
    if (match !== null) return { browser, browserVersion: match[1] ?? match[2] ?? '' };
  }
  const browser = lookUp(browserNames, found.name);
  if (browser === '') return { browser, browserVersion: '' };
  // Safari's features depend on the minor version. For other browsers, the major version is enough.
  return { browser, browserVersion: cutVersion(found.version, browser === 'Safari' ? 2 : 1) };
}

function describeSystem(userAgent: string, found: Details): { name: string; version: string } {
  for (const [name, pattern] of specialSystems) {
    const match = pattern.exec(userAgent);
    if (match !== null) return { name, version: match[1] ?? '' };
  }
  const name = lookUp(systemNames, found.name);
  return { name, version: describeSystemVersion(name, userAgent, found) };
}

/**
 * Returns the system's version. Browsers freeze the version that they report, so a plus means that it may be
 * a later one.
 */
function describeSystemVersion(name: string, userAgent: string, found: Details): string {
  if (name === 'Windows') {
    const windows = found.versionName ?? '';
    if (windows === '10') return '10+';
    return windowsVersions.includes(windows) ? windows : '';
  }
  if (name === 'macOS') {
    const macos = cutVersion(found.version, 2);
    return macos === '10.15' ? '10.15+' : macos;
  }
  if (name === 'iOS') {
    // Since version 26, Safari's version is the system's, while the reported system version stays at 18.
    const safari = /\bVersion\/(\d{2}\.\d{1,2})/.exec(userAgent)?.[1];
    return safari !== undefined && Number.parseInt(safari, 10) >= 26 ? safari : cutVersion(found.version, 2);
  }
  if (name === 'Android') return userAgent.includes('Android 10; K)') ? '10+' : cutVersion(found.version, 1);
  return name === '' ? '' : cutVersion(found.version, 2);
}

function describeDevice(userAgent: string, os: string, found: string | undefined): Device {
  for (const [device, pattern] of specialDevices) {
    if (pattern.test(userAgent)) return device;
  }
  // Browsers say "Mobile" on a phone, so bowser takes Android without it for a tablet. Dalvik never says it.
  if (userAgent.startsWith('Dalvik/') && os === 'Android')
    return tabletModel.test(userAgent) ? 'tablet' : 'mobile';
  if (found === 'desktop' || found === 'mobile' || found === 'tablet' || found === 'tv') return found;
  if (os === 'ChromeOS' || os.endsWith('BSD')) return 'desktop';
  return os === 'KaiOS' ? 'mobile' : 'unknown';
}

function lookUp(names: Readonly<Record<string, string>>, name: string | undefined): string {
  return name !== undefined && Object.hasOwn(names, name) ? names[name]! : '';
}

function cutVersion(version: string | undefined, parts: 1 | 2): string {
  const digits = /^(\d{1,4})(\.\d{1,3})?(?!\d)/.exec(version ?? '');
  if (digits === null) return '';
  return parts === 1 ? digits[1]! : `${digits[1]}${digits[2] ?? ''}`;
}
