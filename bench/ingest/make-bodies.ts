/** Bodies of about 700 bytes as customers send them, with different pages and visitors. */
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/{v}.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_{m} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/18.{m} Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/18.{m} Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:{v}.0) Gecko/20100101 Firefox/{v}.0',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/{v}.0.0.0 Mobile Safari/537.36',
];
const referrers = [
  null,
  'https://www.google.com/search?q=running+shoes+for+winter&hl=en&source=hp',
  'https://www.facebook.com/groups/running/posts/a-long-thread-about-shoes',
  'https://news.ycombinator.com/item?id=41000000',
  'https://chatgpt.com/c/a-conversation-about-shoes',
  null,
];
const colors = ['midnight-blue', 'forest-green', 'sunset-orange', 'stone-grey', 'winter-white'];
const places = [
  ['EU', 'DE', 'Munich', '80331', 'Bavaria', 'BY', 'Europe/Berlin', 'de'],
  ['NA', 'US', 'Chicago', '60601', 'Illinois', 'IL', 'America/Chicago', 'en'],
  ['AS', 'JP', 'Osaka', '530-0001', 'Osaka', '27', 'Asia/Tokyo', 'ja'],
  ['SA', 'BR', 'Recife', '50010', 'Pernambuco', 'PE', 'America/Recife', 'pt'],
];

export function makeBodies(count: number): { path: string; body: string }[] {
  return Array.from({ length: count }, (_, i) => {
    const [ContinentCode, CountryCode, City, PostalCode, Region, RegionCode, Timezone, Code] = places[i % 4]!;
    const agent = agents[i % agents.length]!.replaceAll('{v}', String(120 + (i % 25))).replaceAll(
      '{m}',
      String(i % 7),
    );
    const path = `/category-${i % 40}/product-${i % 900}`;
    const query = `?sort=price&page=${i % 9}&color=${colors[i % 5]}`;
    const page = `https://www.shop-${i % 7}.example${path}${query}`;
    const Metrics = {
      Browser: { IP: `203.0.${i % 113}.${(i * 7) % 255}`, UserAgent: agent },
      Identify: { ClientId: i % 10 === 0 ? `account-${i}` : null },
      Language: { Code },
      Location: { ContinentCode, CountryCode, City, PostalCode, Region, RegionCode, Timezone },
      Page: { Absolute: i % 12 === 0 ? `${page}&utm_source=newsletter&utm_medium=email` : page },
      Referrer: { Absolute: referrers[i % referrers.length] },
      Screen: { Width: 1280 + (i % 8) * 80, Height: 720 + (i % 5) * 60 },
    };
    if (i % 8 !== 0) return { path: '/api/page-view', body: JSON.stringify({ Metrics }) };
    const Parameters = [
      { Name: 'plan', Value: i % 3 === 0 ? 'pro' : 'free' },
      { Name: 'price', Value: String(i % 100) },
    ];
    return { path: '/api/event-view', body: JSON.stringify({ Name: 'Signup', Parameters, Metrics }) };
  });
}
