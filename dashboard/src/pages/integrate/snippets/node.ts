export function nodeSnippet(origin: string, domain: string, key: string): string {
  return `// page-view.mjs: Node 18 or newer, nothing to install.
const apiKey = '${key}';

async function sendPageView(visit) {
  const response = await fetch('${origin}/api/page-view', {
    method: 'POST',
    headers: { Authorization: apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      Metrics: {
        Browser: { IP: visit.ip, UserAgent: visit.userAgent },
        Identify: { ClientId: visit.clientId },
        Language: { Code: visit.language.slice(0, 2) },
        Location: { CountryCode: visit.country },
        Page: { Absolute: visit.page },
        Referrer: { Absolute: visit.referrer },
        Screen: { Width: visit.screenWidth, Height: visit.screenHeight },
      },
    }),
  });
  const { Code, Message } = await response.json();
  if (Code !== 200) throw new Error(\`page view refused: \${Code} \${Message}\`);
}

await sendPageView({
  ip: '203.0.113.7', // request.socket.remoteAddress, or what your proxy says
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', // request.headers['user-agent'] ?? ''
  clientId: null, // your own id of a signed-in user, if you have one
  country: 'DE', // from your proxy or a GeoIP look-up, or null
  // The rest comes from a small script in the page:
  language: 'en-US', // navigator.language
  page: 'https://${domain}/', // location.href
  referrer: 'https://www.google.com/', // document.referrer || null
  screenWidth: 1920, // screen.width
  screenHeight: 1080, // screen.height
});
console.log('sent');
`;
}
