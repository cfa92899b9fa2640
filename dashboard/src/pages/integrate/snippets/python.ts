import type { Sent } from './sent.ts';

export function pythonSnippet(origin: string, domain: string, key: string, sent: Sent): string {
  const isEvent = sent === 'event';
  return `# trackside.py: Python 3.8 or newer, nothing to install.
import json
import urllib.request

API_KEY = "${key}"


def send(visit):
    body = {
${isEvent ? event : ''}        "Metrics": {
            "Browser": {"IP": visit["ip"], "UserAgent": visit["user_agent"]},
            "Identify": {"ClientId": visit["client_id"]},
            "Language": {"Code": visit["language"][:2]},
            "Location": {"CountryCode": visit["country"]},
            "Page": {"Absolute": visit["page"]},
            "Referrer": {"Absolute": visit["referrer"]},
            "Screen": {"Width": visit["screen_width"], "Height": visit["screen_height"]},
        }
    }
    request = urllib.request.Request(
        "${origin}/api/${isEvent ? 'event-view' : 'page-view'}",
        data=json.dumps(body).encode(),
        headers={"Authorization": API_KEY, "Content-Type": "application/json"},
    )
    # Raises HTTPError for anything but a 200; its body says what is wrong.
    with urllib.request.urlopen(request, timeout=5) as response:
        return json.load(response)


answer = send(
    {
        "ip": "203.0.113.7",  # request.remote_addr, or what your proxy says
        "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
        "client_id": None,  # your own id of a signed-in user, if you have one
        "country": "DE",  # from your proxy or a GeoIP look-up, or None
        # The rest comes from a small script in the page:
        "language": "en-US",  # navigator.language
        "page": "https://${domain}/",  # location.href
        "referrer": "https://www.google.com/",  # document.referrer, or None
        "screen_width": 1920,  # screen.width
        "screen_height": 1080,  # screen.height
    }
)
print(answer)
`;
}

/** What an event has besides the metrics of a page view. */
const event = `        "Name": "Sign-up",
        "Parameters": [{"Name": "plan", "Value": "pro"}],
`;

export const pythonEndpoint = `# In place of the call at the end of trackside.py. First: pip install flask
from flask import Flask, request

app = Flask(__name__)


@app.post("/side")
def side():
    form = request.form
    send(
        {
            "ip": request.remote_addr,  # behind a proxy: configure ProxyFix
            "user_agent": request.user_agent.string,
            "client_id": None,
            "country": None,
            "language": form.get("language", "") + "en",
            "page": form.get("page", ""),
            "referrer": form.get("referrer") or None,
            "screen_width": form.get("screenWidth", 0, type=int),
            "screen_height": form.get("screenHeight", 0, type=int),
        }
    )
    return "", 204
`;
