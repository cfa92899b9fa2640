# trackside.py: Python 3.9 or newer, nothing to install.
#   python3 trackside.py          sends a test page view and an event
#   python3 trackside.py serve    receives what the script in your pages sends, on port 3000
# A complete client, with middleware for any framework, is in clients/python of Trackside's folder.
import http.client
import ipaddress
import json
import queue
import re
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from urllib.parse import parse_qs
from wsgiref.simple_server import make_server

TRACKSIDE = "http://127.0.0.1:8080"
API_KEY = "YOUR_API_KEY"
SITE = "https://shop.example"
PROXIES = 0  # how many of your own proxies are in front of this program
TIMEOUT_SECONDS = 3


def metrics(visit):
    """Everything from a browser can be missing or made up, so nothing is passed on unread."""
    return {
        "Browser": {"IP": visit["ip"], "UserAgent": visit["user_agent"][:2048]},
        "Identify": {"ClientId": None},  # your own id of a signed-in user, if you have one
        "Language": {"Code": read_language(visit["language"])},
        "Location": {"CountryCode": read_country(visit["country"])},
        "Page": {"Absolute": visit["page"][:8192]},
        "Referrer": {"Absolute": read_referrer(visit["referrer"])},
        "Screen": {"Width": read_pixels(visit["width"]), "Height": read_pixels(visit["height"])},
    }


def send_page_view(visit):
    return send("/api/page-view", {"Metrics": metrics(visit)})


def send_event(visit, name, parameters):
    listed = [{"Name": key, "Value": str(value)} for key, value in parameters.items()]
    return send("/api/event-view", {"Name": name, "Parameters": listed, "Metrics": metrics(visit)})


def send(path, body):
    """Returns the status and the answer. All attempts have the same key, so the record counts once."""
    headers = {
        "Authorization": API_KEY,
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    }
    request = urllib.request.Request(TRACKSIDE + path, json.dumps(body).encode(), headers)
    for pause in (1, 2, 0):
        try:
            status, answer = attempt(request)
        except (OSError, http.client.HTTPException) as error:
            status, answer = 0, str(error)
        if 0 < status < 500:
            break
        time.sleep(pause)
    return status, answer


def attempt(request):
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode(errors="replace")


def read_address(text):
    """Without port, brackets and zone: [fe80::1%eth0]:443 is fe80::1."""
    bare = re.sub(r"^\[(.*)\](:\d+)?$|^([\d.]+):\d+$", r"\1\3", text.strip())
    try:
        return str(ipaddress.ip_address(bare.split("%")[0]))
    except ValueError:
        return None


def read_language(text):
    """The first language of two letters in a tag or a header. Shortening fil-PH would make it Finnish."""
    found = re.search(r"(?:^|,)\s*([a-z]{2})(?![a-z\d])", text[:200], re.I | re.A)
    return found[1].lower() if found else "en"


def read_country(text):
    """Cloudflare sends XX for unknown and T1 for Tor."""
    return text if re.fullmatch(r"(?!XX)[A-Z]{2}", text) else None


def read_referrer(text):
    return text[:8192] if re.match(r"[a-z][a-z\d+.-]*://[^/?#\\\s]", text, re.I | re.A) else None


def read_pixels(text):
    return int(text) if re.fullmatch(r"\d{1,5}", text, re.A) else 0


waiting = queue.Queue(1000)


def send_later(call, *arguments):
    """Visitors never wait for Trackside. If it is away for long, the queue is full and this one is lost."""
    try:
        waiting.put_nowait((call, arguments))
    except queue.Full:
        print("The queue is full", file=sys.stderr)


def send_waiting():
    while True:
        call, arguments = waiting.get()
        status, answer = call(*arguments)
        if status != 200:
            print(f"Trackside: {status} {answer}", file=sys.stderr)


def side(environ, start_response):
    """A WSGI application: mount it in yours, or take what you need from it."""
    form = read_form(environ)

    def field(name):
        return form.get(name, [""])[0].strip()

    visit = {
        "ip": find_address(environ),
        "user_agent": environ.get("HTTP_USER_AGENT", ""),
        "language": field("language") or environ.get("HTTP_ACCEPT_LANGUAGE", ""),
        "country": environ.get("HTTP_CF_IPCOUNTRY", ""),  # if you are behind Cloudflare
        "page": field("page"),
        "referrer": field("referrer"),
        "width": field("screenWidth"),
        "height": field("screenHeight"),
    }
    route = environ["REQUEST_METHOD"], environ.get("PATH_INFO")
    if route == ("POST", "/side"):
        if visit["ip"] and re.match(r"https?://[^/?#\\\s]", visit["page"], re.I):
            send_later(send_page_view, visit)
        start_response("204 No Content", [])
    elif route == ("POST", "/sign-up"):
        if visit["ip"]:
            visit["page"] = SITE + "/sign-up"
            send_later(send_event, visit, "Sign-up", {"plan": "pro"})
        start_response("303 See Other", [("Location", "/welcome")])
    else:
        start_response("404 Not Found", [])
    return []


def read_form(environ):
    length = re.fullmatch(r"\d{1,9}", environ.get("CONTENT_LENGTH", ""), re.A)
    body = environ["wsgi.input"].read(min(int(length[0]), 65_536)) if length else b""
    try:
        return parse_qs(body.decode(errors="replace"), max_num_fields=20)
    except ValueError:
        return {}


def find_address(environ):
    """Behind proxies, the peer is one of them, and must not be counted as a visitor."""
    if PROXIES == 0:
        return read_address(environ.get("REMOTE_ADDR", ""))
    chain = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
    return read_address(chain[-PROXIES]) if len(chain) >= PROXIES else None


if __name__ == "__main__" and sys.argv[1:] == ["serve"]:
    threading.Thread(target=send_waiting, daemon=True).start()
    make_server("127.0.0.1", 3000, side).serve_forever()
elif __name__ == "__main__":
    visit = {
        "ip": "203.0.113.7",
        "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
        "language": "en-US",
        "country": "DE",
        "page": SITE + "/",
        "referrer": "https://www.google.com/",
        "width": "1920",
        "height": "1080",
    }
    print(*send_page_view(visit))
    print(*send_event(visit, "Sign-up", {"plan": "pro"}))
