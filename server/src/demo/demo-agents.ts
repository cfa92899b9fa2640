/** The browsers of the demo's visitors, with screens that such devices have. */
import type { Weighted } from './create-choice.ts';

/** The versions in the user agents of a given day. */
export type Versions = { chrome: number; firefox: number; safari: string };
export type DeviceClass = 'desktop' | 'mobile' | 'tablet';
export type Agent = {
  userAgent: (versions: Versions) => string;
  screens: Weighted<readonly [width: number, height: number]>;
};

const fourWeeksMs = 28 * 24 * 60 * 60 * 1000;

/**
 * Returns the versions at a given time. Chrome and Firefox count up every four weeks. Safari takes the coming
 * year's number each September.
 */
export function versionsAt(ms: number): Versions {
  const since = (release: string) => Math.floor((ms - Date.parse(release)) / fourWeeksMs);
  const date = new Date(ms);
  const monthsSinceSeptember = (date.getUTCMonth() + 4) % 12;
  const isBeforeSeptember = date.getUTCMonth() < 8;
  const year = date.getUTCFullYear() - 2000 + (isBeforeSeptember ? 0 : 1);
  return {
    chrome: 142 + since('2025-10-28'),
    firefox: 145 + since('2025-11-11'),
    safari: `${year}.${Math.floor(monthsSinceSeptember / 2)}`,
  };
}

const windows = 'Windows NT 10.0; Win64; x64';
const mac = 'Macintosh; Intel Mac OS X 10_15_7';
const linux = 'X11; Linux x86_64';
const android = 'Linux; Android 10; K';

const chrome =
  (system: string, suffix = '', behindSafari = '') =>
  ({ chrome: major }: Versions) =>
    `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0${suffix} ` +
    `Safari/537.36${behindSafari}`;
const edge = (versions: Versions) => chrome(windows, '', ` Edg/${versions.chrome}.0.0.0`)(versions);
const opera = (versions: Versions) => chrome(windows, '', ` OPR/${versions.chrome - 17}.0.0.0`)(versions);
const vivaldi = chrome(linux, '', ' Vivaldi/7.6');
const samsung = ({ chrome: major }: Versions) =>
  `Mozilla/5.0 (${android}) AppleWebKit/537.36 (KHTML, like Gecko) ` +
  `SamsungBrowser/${Math.floor(major / 5)}.0 Chrome/${major - 6}.0.0.0 Mobile Safari/537.36`;
const firefox =
  (system: string) =>
  ({ firefox: major }: Versions) =>
    `Mozilla/5.0 (${system}; rv:${major}.0) Gecko/20100101 Firefox/${major}.0`;
const firefoxAndroid = ({ firefox: major }: Versions) =>
  `Mozilla/5.0 (Android 15; Mobile; rv:${major}.0) Gecko/${major}.0 Firefox/${major}.0`;
const safari =
  (system: string, mobile = '', build = '605.1.15') =>
  ({ safari: version }: Versions) =>
    `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version}${mobile} ` +
    `Safari/${build}`;
const iphone = 'iPhone; CPU iPhone OS 18_7 like Mac OS X';
const ipad = 'iPad; CPU OS 18_7 like Mac OS X';
const chromeOnIphone = ({ chrome: major }: Versions) =>
  `Mozilla/5.0 (${iphone}) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/${major}.0.7444.77 ` +
  'Mobile/15E148 Safari/604.1';

const pcScreens: Agent['screens'] = [
  [46, [1920, 1080]],
  [16, [1536, 864]],
  [16, [2560, 1440]],
  [9, [1366, 768]],
  [5, [3440, 1440]],
  [4, [1707, 1067]],
  [4, [3840, 2160]],
];
const macScreens: Agent['screens'] = [
  [34, [1512, 982]],
  [26, [1440, 900]],
  [18, [1728, 1117]],
  [14, [2560, 1440]],
  [8, [1920, 1080]],
];
const iphoneScreens: Agent['screens'] = [
  [34, [393, 852]],
  [28, [390, 844]],
  [14, [430, 932]],
  [13, [402, 874]],
  [7, [375, 812]],
  [4, [375, 667]],
];
const androidScreens: Agent['screens'] = [
  [32, [412, 915]],
  [26, [384, 832]],
  [22, [360, 800]],
  [12, [393, 873]],
  [8, [360, 780]],
];
const ipadScreens: Agent['screens'] = [
  [40, [820, 1180]],
  [32, [834, 1194]],
  [16, [1024, 1366]],
  [12, [744, 1133]],
];
const androidTabletScreens: Agent['screens'] = [
  [60, [800, 1280]],
  [40, [753, 1205]],
];
const chromebookScreens: Agent['screens'] = [
  [70, [1366, 768]],
  [30, [1536, 864]],
];

export const demoAgents: Readonly<Record<DeviceClass, Weighted<Agent>>> = {
  desktop: [
    [31, { userAgent: chrome(windows), screens: pcScreens }],
    [20, { userAgent: chrome(mac), screens: macScreens }],
    [5, { userAgent: chrome(linux), screens: pcScreens }],
    [11, { userAgent: edge, screens: pcScreens }],
    [11, { userAgent: safari(mac), screens: macScreens }],
    [8, { userAgent: firefox(windows), screens: pcScreens }],
    [4, { userAgent: firefox('Macintosh; Intel Mac OS X 10.15'), screens: macScreens }],
    [6, { userAgent: firefox(linux), screens: pcScreens }],
    [2, { userAgent: opera, screens: pcScreens }],
    [1, { userAgent: vivaldi, screens: pcScreens }],
    [1, { userAgent: chrome('X11; CrOS x86_64 14541.0.0'), screens: chromebookScreens }],
  ],
  mobile: [
    [46, { userAgent: safari(iphone, ' Mobile/15E148', '604.1'), screens: iphoneScreens }],
    [35, { userAgent: chrome(android, ' Mobile'), screens: androidScreens }],
    [8, { userAgent: samsung, screens: androidScreens }],
    [6, { userAgent: chromeOnIphone, screens: iphoneScreens }],
    [5, { userAgent: firefoxAndroid, screens: androidScreens }],
  ],
  tablet: [
    [75, { userAgent: safari(ipad, ' Mobile/15E148', '604.1'), screens: ipadScreens }],
    [25, { userAgent: chrome(android), screens: androidTabletScreens }],
  ],
};

export const demoDevices: Readonly<Record<'weekday' | 'weekend', Weighted<DeviceClass>>> = {
  weekday: [
    [68, 'desktop'],
    [29, 'mobile'],
    [3, 'tablet'],
  ],
  weekend: [
    [44, 'desktop'],
    [50, 'mobile'],
    [6, 'tablet'],
  ],
};
