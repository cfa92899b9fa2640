/** Where the demo's visitors come from. */
import type { Weighted } from './create-choice.ts';

export type OriginKind = 'direct' | 'search' | 'social' | 'ai' | 'referral' | 'email';

export type Origin = {
  referrer: string | null;
  /** The query of the link. */
  query?: string;
  /** The countries where the source is used; all countries if left out. */
  countries?: readonly string[];
};

const from = (referrer: string, countries?: readonly string[]): Origin => ({
  referrer,
  ...(countries && { countries }),
});
const germanSpeaking = ['DE', 'AT', 'CH'];

export const demoOrigins: Readonly<Record<OriginKind, Weighted<Origin>>> = {
  direct: [[1, { referrer: null }]],
  search: [
    [300, from('https://www.google.com/')],
    [14, from('android-app://com.google.android.googlequicksearchbox/')],
    [42, from('https://www.bing.com/')],
    [46, from('https://duckduckgo.com/')],
    [11, from('https://search.brave.com/')],
    [9, from('https://kagi.com/')],
    [7, from('https://search.yahoo.com/')],
    [16, from('https://www.ecosia.org/', [...germanSpeaking, 'FR', 'BE'])],
    [8, from('https://www.startpage.com/', [...germanSpeaking, 'NL'])],
    [10, from('https://www.qwant.com/', ['FR', 'BE'])],
    [60, from('https://www.seznam.cz/', ['CZ'])],
    [50, from('https://search.naver.com/', ['KR'])],
    [70, from('https://search.yahoo.co.jp/', ['JP'])],
  ],
  social: [
    [24, from('https://www.reddit.com/')],
    [3, from('https://old.reddit.com/r/selfhosted/')],
    [18, from('https://www.linkedin.com/')],
    [5, from('https://lnkd.in/')],
    [17, from('https://t.co/')],
    [16, from('https://news.ycombinator.com/')],
    [13, from('https://www.youtube.com/')],
    [10, from('https://bsky.app/')],
    [9, from('https://mastodon.social/')],
    [4, from('https://fosstodon.org/')],
    [10, from('https://stackoverflow.com/')],
    [8, from('https://l.facebook.com/')],
    [5, from('https://www.instagram.com/')],
    [4, from('https://lobste.rs/')],
    [4, from('https://www.producthunt.com/')],
    [4, from('android-app://org.telegram.messenger/')],
    [3, from('https://dev.to/')],
    [4, from('https://www.xing.com/', germanSpeaking)],
  ],
  ai: [
    [30, { referrer: 'https://chatgpt.com/', query: 'utm_source=chatgpt.com' }],
    [16, from('https://chatgpt.com/')],
    [15, from('https://claude.ai/')],
    [14, from('https://www.perplexity.ai/')],
    [9, from('https://gemini.google.com/')],
    [7, from('https://copilot.microsoft.com/')],
    [4, from('https://chat.mistral.ai/')],
    [3, from('https://chat.deepseek.com/')],
    [2, from('https://grok.com/')],
  ],
  referral: [
    [38, from('https://github.com/')],
    [7, from('https://en.wikipedia.org/')],
    [5, from('https://de.wikipedia.org/', germanSpeaking)],
    [14, from('https://selfhosted-index.example/wikis')],
    [11, from('https://ops-notebook.example/2025/tools-we-kept')],
    [9, from('https://quietsoftware.example/reviews/lantern')],
    [7, from('https://alternatives.example/to/confluence')],
    [6, from('https://forum.homeserver.example/t/4711')],
    [5, from('https://news.google.com/')],
    [6, from('https://werkstatt-blog.example/artikel/wiki-umzug', germanSpeaking)],
  ],
  email: [
    [28, from('https://mail.google.com/')],
    [15, from('https://outlook.live.com/')],
    [11, from('https://outlook.office.com/')],
    [5, from('https://mail.proton.me/')],
    [4, from('android-app://com.google.android.gm/')],
    [14, from('https://www.gmx.net/', germanSpeaking)],
    [10, from('https://web.de/', ['DE'])],
  ],
};
