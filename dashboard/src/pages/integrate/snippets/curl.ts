import type { Sent } from './sent.ts';

export function curlSnippet(origin: string, domain: string, key: string, sent: Sent): string {
  const isEvent = sent === 'event';
  return `# Sends one ${sent} from the command line, to try it out.
curl ${origin}/api/${isEvent ? 'event-view' : 'page-view'} \\
  --header 'Authorization: ${key}' \\
  --header 'Content-Type: application/json' \\
  --data '{
${isEvent ? event : ''}    "Metrics": {
      "Browser": {
        "IP": "203.0.113.7",
        "UserAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
      },
      "Identify": { "ClientId": null },
      "Language": { "Code": "en" },
      "Location": { "CountryCode": "DE" },
      "Page": { "Absolute": "https://${domain}/" },
      "Referrer": { "Absolute": "https://www.google.com/" },
      "Screen": { "Width": 1920, "Height": 1080 }
    }
  }'
`;
}

/** What an event has besides the metrics of a page view. */
const event = `    "Name": "Sign-up",
    "Parameters": [{ "Name": "plan", "Value": "pro" }],
`;
