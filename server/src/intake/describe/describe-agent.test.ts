import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAgent } from './describe-agent.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const iosWebkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

/** Each row has a user agent, and the browser, system and device that are read from it. */
const agents: [string, string, string, string][] = [
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36`,
    'Chrome 126',
    'Windows 10+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.87`,
    'Edge 126',
    'Windows 10+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0`,
    'Opera 110',
    'Windows 10+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/124.0.0.0 Safari/537.36 Vivaldi/6.7.3329.35`,
    'Vivaldi 6',
    'Windows 10+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/122.0.0.0 YaBrowser/24.4.0.0 Safari/537.36`,
    'Yandex Browser 24',
    'Windows 10+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 6.1; WOW64) ${webkit} Chrome/109.0.0.0 Safari/537.36`,
    'Chrome 109',
    'Windows 7',
    'desktop',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    'Internet Explorer 11',
    'Windows 10+',
    'desktop',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0',
    'Firefox 127',
    'Windows 10+',
    'desktop',
  ],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0',
    'Firefox 126',
    'Linux',
    'desktop',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/126.0.0.0 Safari/537.36`,
    'Chrome 126',
    'ChromeOS',
    'desktop',
  ],
  [
    'Mozilla/5.0 (X11; FreeBSD amd64; rv:126.0) Gecko/20100101 Firefox/126.0',
    'Firefox 126',
    'FreeBSD',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${iosWebkit} Version/17.4.1 Safari/605.1.15`,
    'Safari 17.4',
    'macOS 10.15+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_13_6) ${iosWebkit} Version/13.1 Safari/605.1.15`,
    'Safari 13.1',
    'macOS 10.13',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/126.0.0.0 Safari/537.36`,
    'Chrome 126',
    'macOS 10.15+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${iosWebkit} Version/17.5 Mobile/15E148 Safari/604.1`,
    'Safari 17.5',
    'iOS 17.5',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${iosWebkit} Version/26.0 Mobile/15E148 Safari/604.1`,
    'Safari 26.0',
    'iOS 26.0',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${iosWebkit} CriOS/125.0.6422.80 Mobile/15E148 Safari/604.1`,
    'Chrome 125',
    'iOS 17.5',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${iosWebkit} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`,
    'Firefox 127',
    'iOS 17.5',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${iosWebkit} Version/17.0 EdgiOS/125.0.2535.72 Mobile/15E148 Safari/604.1`,
    'Edge 125',
    'iOS 17.5',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${iosWebkit} GSA/314.0.62 Mobile/15E148 Safari/604.1`,
    'Google app 314',
    'iOS 17.4',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${iosWebkit} Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
    'DuckDuckGo 7',
    'iOS 17.5',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 16_1 like Mac OS X) ${iosWebkit} Mobile/20B82 Instagram 257.1.0.15.109 (iPhone13,2; iOS 16_1; en_US; scale=3.00; 1170x2532; 404665563)`,
    'Instagram 257',
    'iOS 16.1',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${iosWebkit} Mobile/21E219 [FBAN/FBIOS;FBAV/460.0.0.31.103;FBBV/585799999;FBDV/iPhone14,5;FBSN/iOS;FBSV/17.4]`,
    'Facebook 460',
    'iOS 17.4',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${iosWebkit} Mobile/21E219 [LinkedInApp]/9.29.6382`,
    'LinkedIn',
    'iOS 17.4',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${iosWebkit} Mobile/21E219 Twitter for iPhone/10.40`,
    'X',
    'iOS 17.4',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${iosWebkit} Mobile/15E148 MicroMessenger/8.0.49(0x18003137) NetType/WIFI Language/zh_CN`,
    'WeChat 8',
    'iOS 17.4',
    'mobile',
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${iosWebkit} Version/16.6 Mobile/15E148 Safari/604.1`,
    'Safari 16.6',
    'iOS 16.6',
    'tablet',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/124.0.0.0 Mobile Safari/537.36`,
    'Chrome 124',
    'Android 10+',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A.240405.002) ${webkit} Chrome/124.0.6367.82 Mobile Safari/537.36`,
    'Chrome 124',
    'Android 14',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet 25',
    'Android 10+',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-X710) ${webkit} Chrome/121.0.0.0 Safari/537.36`,
    'Chrome 121',
    'Android 14',
    'tablet',
  ],
  [
    'Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0',
    'Firefox 127',
    'Android 14',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Linux; U; Android 13; en-US; CUBOT P60) ${webkit} Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.5.8.1311 Mobile Safari/537.36`,
    'UC Browser 13',
    'Android 13',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Linux; Android 13; SM-S918B; wv) ${webkit} Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 musical_ly_2023403040 JsSdk/1.0 AppName/musical_ly`,
    'TikTok',
    'Android 13',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Linux; Android 9; AFTMM) ${webkit} Silk/108.4.6 like Chrome/108.0.5359.160 Safari/537.36`,
    'Amazon Silk 108',
    'Android 9',
    'tv',
  ],
  [
    `Mozilla/5.0 (Web0S; Linux/SmartTV) ${webkit} Chrome/87.0.4280.88 Safari/537.36 WebAppManager`,
    'webOS Browser',
    'webOS',
    'tv',
  ],
  [
    `Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) ${webkit} 76.0.3809.146/6.0 TV Safari/537.36`,
    'Samsung TV Browser',
    'Tizen 6.0',
    'tv',
  ],
  [
    `Mozilla/5.0 (PlayStation; PlayStation 5/6.50) ${iosWebkit} Version/13.0 Safari/605.1.15`,
    'Safari 13.0',
    'PlayStation 5',
    'console',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) ${webkit} Chrome/125.0.0.0 Safari/537.36 Edg/125.0.0.0`,
    'Edge 125',
    'Xbox',
    'console',
  ],
  [
    'Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/606.4 (KHTML, like Gecko) NF/6.0.1.15.4 NintendoBrowser/5.1.0.20393',
    'Safari',
    'Nintendo',
    'console',
  ],
  [
    'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
    'Firefox 48',
    'KaiOS 2.5',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0 (Edition GX-CN)`,
    'Opera GX 110',
    'Windows 10+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0 (Edition std-1)`,
    'Opera 110',
    'Windows 10+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/124.0.0.0 Mobile Safari/537.36 OPX/2.1`,
    'Opera GX 2',
    'Android 10+',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Brave Chrome/84.0.4147.105 Safari/537.36`,
    'Brave 84',
    'Windows 10+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/120.0.0.0 Safari/537.36 Brave/120`,
    'Brave 120',
    'macOS 10.15+',
    'desktop',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${iosWebkit} Version/17.5 Brave/1.66 Mobile/15E148 Safari/604.1`,
    'Brave 1',
    'iOS 17.5',
    'mobile',
  ],
  // Libraries with which apps fetch
  ['Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7 Build/TQ3A.230805.001)', 'Dalvik 2', 'Android 13', 'mobile'],
  ['Dalvik/2.1.0 (Linux; U; Android 12; SM-T500 Build/SP1A)', 'Dalvik 2', 'Android 12', 'tablet'],
  ['Dalvik/2.1.0 (Linux; U; Android 11; BRAVIA 4K UR2 Build/X)', 'Dalvik 2', 'Android 11', 'tv'],
  ['okhttp/4.12.0', 'okhttp 4', '', 'unknown'],
  ['AcmeShop/812 CFNetwork/1498.700.2 Darwin/23.6.0', 'CFNetwork 1498', '', 'unknown'],
  ['somebody@example.com/1.0 (secret place)', '', '', 'unknown'],
  ['', '', '', 'unknown'],
];

for (const [userAgent, browser, system, device] of agents) {
  const source = userAgent.slice(0, 48) || 'nothing';
  test(`reads ${browser || 'no browser'} on ${system || 'no system'}, ${device}, from ${source}`, () => {
    const facts = describeAgent(userAgent);
    assert.deepEqual(
      [
        `${facts.browser} ${facts.browserVersion}`.trim(),
        `${facts.os} ${facts.osVersion}`.trim(),
        facts.device,
      ],
      [browser, system, device],
    );
  });
}
