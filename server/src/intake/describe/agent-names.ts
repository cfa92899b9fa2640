import type { Device } from '@trackside/contract/stats/devices.ts';

export type { Device };

/** Browsers that bowser misses or gets wrong. The first match wins, and its group is the version. */
export const specialBrowsers: readonly [name: string, pattern: RegExp][] = [
  ['Messenger', /\bFBAN\/Messenger|\bFB_IAB\/(?:Orca|MESSENGER)|\bMessengerForiOS/],
  ['Instagram', /\bInstagram[ /](\d{1,4})/],
  ['Facebook', /\bFB(?:AN|AV|_IAB)\/(?:[^;\]]{0,40};FBAV\/(\d{1,4}))?/],
  ['TikTok', /\b(?:musical_ly|trill|BytedanceWebview|TikTok)\b|\bmusical_ly_|\btrill_/],
  ['Snapchat', /\bSnapchat[ /](\d{1,4})/],
  ['LinkedIn', /\bLinkedInApp\b/],
  ['Pinterest', /\[Pinterest\/|\bPinterest for /],
  ['X', /\bTwitter for (?:iPhone|iPad|Android)|\bTwitterAndroid\b/],
  ['WeChat', /\bMicroMessenger\/(\d{1,4})/],
  ['LINE', /\bLine\/(\d{1,4})/],
  ['KakaoTalk', /\bKAKAOTALK[ /](\d{1,4})?/],
  ['Slack', /\bSlack(?:_SSB)?\/(\d{1,4})/],
  ['Google app', /\bGSA\/(\d{1,4})/],
  ['UC Browser', /\bUC ?Browser\/(\d{1,4})/],
  ['Opera Mini', /\bOpera Mini\/(\d{1,4})/],
  ['Opera GX', /\bOPX\/(\d{1,4})|\bOPR\/(\d{1,4})[\d.]{0,20} \(Edition GX\b/],
  ['Opera', /\bOPT\/(\d{1,4})/],
  ['Brave', /\bBrave(?: Chrome)?\/(\d{1,4})/],
  ['DuckDuckGo', /\b(?:Ddg|DuckDuckGo)\/(\d{1,4})/],
  ['Meta Quest Browser', /\bOculusBrowser\/(\d{1,4})/],
  ['Huawei Browser', /\bHuaweiBrowser\/(\d{1,4})/],
  ['Ecosia', /\(Ecosia (?:ios|android)@(\d{1,4})|\bEcosia ios@(\d{1,4})/],
  // Libraries with which apps fetch
  ['Dalvik', /^Dalvik\/(\d{1,4})/],
  ['okhttp', /\bokhttp\/(\d{1,4})/i],
  ['CFNetwork', /\bCFNetwork\/(\d{1,4})/],
];

/** Our names for bowser's browser names. Anything else (crawlers, made-up names) counts as unknown. */
export const browserNames: Readonly<Record<string, string>> = {
  'Amazon Silk': 'Amazon Silk',
  'Android Browser': 'Android Browser',
  BlackBerry: 'BlackBerry',
  Brave: 'Brave',
  Chrome: 'Chrome',
  Chromium: 'Chromium',
  DuckDuckGo: 'DuckDuckGo',
  Electron: 'Electron',
  Epiphany: 'GNOME Web',
  Firefox: 'Firefox',
  Focus: 'Firefox Focus',
  'Google Search': 'Google app',
  'HeyTap Browser': 'HeyTap Browser',
  'Internet Explorer': 'Internet Explorer',
  'K-Meleon': 'K-Meleon',
  Ladybird: 'Ladybird',
  LibreWolf: 'LibreWolf',
  Maxthon: 'Maxthon',
  'Microsoft Edge': 'Edge',
  Miui: 'Mi Browser',
  'MZ Browser': 'Meizu Browser',
  'NAVER Whale Browser': 'Whale',
  Opera: 'Opera',
  'Opera Coast': 'Opera Coast',
  'Pale Moon': 'Pale Moon',
  PhantomJS: 'PhantomJS',
  Puffin: 'Puffin',
  'QQ Browser': 'QQ Browser',
  'QQ Browser Lite': 'QQ Browser',
  QupZilla: 'QupZilla',
  Safari: 'Safari',
  Sailfish: 'Sailfish Browser',
  'Samsung Internet for Android': 'Samsung Internet',
  SeaMonkey: 'SeaMonkey',
  Sleipnir: 'Sleipnir',
  'Sogou Browser': 'Sogou Browser',
  Swing: 'Swing',
  Tizen: 'Samsung TV Browser',
  'UC Browser': 'UC Browser',
  Vivaldi: 'Vivaldi',
  'Vivo Browser': 'Vivo Browser',
  'WebOS Browser': 'webOS Browser',
  WeChat: 'WeChat',
  'Yandex Browser': 'Yandex Browser',
};

/** Systems that bowser misses, or takes for the system that they are based on. */
export const specialSystems: readonly [name: string, pattern: RegExp][] = [
  ['PlayStation', /\bPlayStation (\d)/i],
  ['PlayStation', /\bPlayStation\b/i],
  ['Xbox', /\bXbox\b/i],
  ['Nintendo', /\bNintendo\b/i],
  ['KaiOS', /\bKAIOS\/(\d{1,2}\.\d{1,2})/i],
  ['HarmonyOS', /\b(?:Open)?HarmonyOS?[ /](\d{1,2})/i],
  ['FreeBSD', /\bFreeBSD\b/i],
  ['OpenBSD', /\bOpenBSD\b/i],
  ['NetBSD', /\bNetBSD\b/i],
];

/** Our names for bowser's system names. */
export const systemNames: Readonly<Record<string, string>> = {
  Android: 'Android',
  Bada: 'Bada',
  BlackBerry: 'BlackBerry',
  'Chrome OS': 'ChromeOS',
  HarmonyOS: 'HarmonyOS',
  iOS: 'iOS',
  Linux: 'Linux',
  macOS: 'macOS',
  Roku: 'Roku',
  Tizen: 'Tizen',
  WebOS: 'webOS',
  Windows: 'Windows',
  'Windows Phone': 'Windows Phone',
};

/** The versions of Windows that have their own names. */
export const windowsVersions: readonly string[] = ['NT', '2000', 'XP', '2003', 'Vista', '7', '8', '8.1'];

/** Devices that can be recognized by a word. They are checked before bowser is asked. */
export const specialDevices: readonly [device: Device, pattern: RegExp][] = [
  ['console', /\b(?:PlayStation|Xbox|Nintendo)\b/i],
  ['tv', /smart-?tv|\btv\b|appletv|googletv|bravia|web0s|netcast|hbbtv|crkey|\broku\b|viera|\baquos.?tv/i],
  ['tv', /\bAFT[A-Z]{1,5}\d{0,2}\b/],
  ['tablet', /\b(?:mediapad|matepad)\b/i],
];

/** Models of tablets, for user agents that never say whether a device is a phone. */
export const tabletModel =
  /\b(?:SM-[TXP]\d|GT-P\d|Nexus (?:7|9|10)\b|Pixel (?:C|Tablet)\b|Lenovo TB|tablet\b|pad\b)/i;
