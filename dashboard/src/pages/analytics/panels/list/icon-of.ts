/** The files in `icons`. They have the names of sources, browsers and systems, without spaces and hyphens. */
export const icons: ReadonlySet<string> = new Set(
  (
    'aliexpress amazon android androidbrowser baidu bilibili bing bluesky brave bravesearch chatgpt chrome ' +
    'chromeos chromium claude copilot deepseek dev direct discord duckduckgo ebay ecosia edge electron email ' +
    'etsy facebook feedly firefox firefoxfocus flipboard freebsd gemini github gitlab gmail gnomeweb google ' +
    'googleads googleapp googledrive googlemaps googlenews grok hackernews harmonyos huggingface instagram ' +
    'internetexplorer ios kagi kaios kakaotalk librewolf line linkedin linux macos mailchimp mastodon medium ' +
    'messenger metaai microsoftteams mistral naver netflix newsletter nintendo notion opera operagx operamini ' +
    'otherbrowser othersystem outlook perplexity pinterest playstation poe producthunt protonmail quora qwant ' +
    'qwen reddit roku safari samsunginternet signal slack snapchat spotify stackoverflow startpage substack ' +
    'telegram threads tiktok tumblr twitch ucbrowser unknown vimeo vivaldi vk wechat weibo whatsapp wikipedia ' +
    'windows windowsphone x xbox xing yahoo yandex yandexbrowser youtube zhihu'
  ).split(' '),
);

/** The icon of a source, in any case. Undefined for one that is not well known. */
export function iconOfSource(source: string): string | undefined {
  if (source === '') return 'direct';
  const [mail] = /newsletter|e-?mail/i.exec(source) ?? [];
  return findIcon(source) ?? (mail && findIcon(mail));
}

/** The icon of a browser or a system, with or without its version. */
export function iconOfAgent(name: string, other: 'otherbrowser' | 'othersystem'): string {
  return name === '' ? 'unknown' : (findIcon(name.replace(/ [\d.]+$/, '')) ?? other);
}

function findIcon(name: string): string | undefined {
  const file = name.toLowerCase().replace(/[ -]/g, '');
  return icons.has(file) ? file : undefined;
}
