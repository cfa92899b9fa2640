import { relative, resolve } from 'node:path';

const record = {
  Metrics: {
    Browser: {
      IP: '203.0.113.7',
      UserAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    },
    Identify: { ClientId: null },
    Language: { Code: 'en' },
    Page: { Absolute: 'https://demo.test/pricing?utm_source=newsletter' },
    Referrer: { Absolute: 'https://www.google.com/' },
    Screen: { Width: 1920, Height: 1080 },
    Location: { ContinentCode: 'EU', CountryCode: 'DE', City: 'Berlin' },
  },
};

/**
 * Returns what to do next, for the person who just started the server. Without an `apiKey`, the printed
 * command looks the key up, so that no secret ends up in a log.
 */
export function firstSteps(options: {
  origin: string;
  isFirstStart: boolean;
  /** Set as long as there is no user. */
  setupLink: string | undefined;
  domain: string;
  apiKey: string | undefined;
  dataDir: string;
}): string {
  const { origin, isFirstStart, setupLink, domain, apiKey, dataDir } = options;
  const listens = ['', `Trackside is running at ${origin}`, ''];
  if (setupLink !== undefined) {
    // The link is not indented like the commands, because it is for a browser and not for a shell.
    listens.push('Open this link to create your admin account (it works once):', '');
    listens.push(setupLink, '');
  }
  if (!isFirstStart) return listens.join('\n');
  const flag = dataDir === resolve('data') ? '' : ` --data-dir ${quote(shorterPath(dataDir))}`;
  const key = apiKey ?? `$(npx trackside website show-key ${domain}${flag})`;
  return [
    ...listens,
    `The website "${domain}" is ready for you to try. Send it a page view:`,
    '',
    `  curl -X POST ${origin}/api/page-view \\`,
    `    -H "Authorization: ${key}" \\`,
    `    -d '${JSON.stringify(record)}'`,
    '',
    'A few seconds later, see it counted:',
    '',
    `  npx trackside stats ${domain}${flag}`,
    '',
    'Add your own website:',
    '',
    `  npx trackside website add example.com --timezone Europe/Berlin${flag}`,
    '',
  ].join('\n');
}

function shorterPath(path: string): string {
  const fromHere = relative('', path);
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
}

function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
