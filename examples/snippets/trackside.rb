# trackside.rb: Ruby 3 or newer.
#   ruby trackside.rb          sends a test page view and an event; nothing to install
#   ruby trackside.rb serve    receives what the script in your pages sends, on port 3000.
#                              First: gem install rackup puma
require "ipaddr"
require "json"
require "net/http"
require "securerandom"
require "uri"

TRACKSIDE = "http://127.0.0.1:8080"
API_KEY = "YOUR_API_KEY"
SITE = "https://shop.example"
PROXIES = 0 # how many of your own proxies are in front of this program
TIMEOUT_SECONDS = 3

# Everything from a browser can be missing or made up, so nothing is passed on unread.
def metrics(visit)
  {
    Browser: { IP: visit[:ip], UserAgent: visit[:user_agent][0, 2048] },
    Identify: { ClientId: nil }, # your own id of a signed-in user, if you have one
    Language: { Code: read_language(visit[:language]) },
    Location: { CountryCode: read_country(visit[:country]) },
    Page: { Absolute: visit[:page][0, 8192] },
    Referrer: { Absolute: read_referrer(visit[:referrer]) },
    Screen: { Width: read_pixels(visit[:width]), Height: read_pixels(visit[:height]) }
  }
end

def send_page_view(visit)
  send_record("/api/page-view", { Metrics: metrics(visit) })
end

def send_event(visit, name, parameters)
  listed = parameters.map { |key, value| { Name: key.to_s, Value: value.to_s } }
  send_record("/api/event-view", { Name: name, Parameters: listed, Metrics: metrics(visit) })
end

# Returns the status and the answer. All attempts have the same key, so the record counts once.
def send_record(path, body)
  uri = URI(TRACKSIDE + path)
  headers = {
    "Authorization" => API_KEY,
    "Content-Type" => "application/json",
    "Idempotency-Key" => SecureRandom.uuid
  }
  # max_retries: 0, because the attempts are counted here.
  options = {
    use_ssl: uri.scheme == "https", max_retries: 0,
    open_timeout: TIMEOUT_SECONDS, write_timeout: TIMEOUT_SECONDS, read_timeout: TIMEOUT_SECONDS
  }
  result = ""
  [1, 2, 0].each do |pause|
    begin
      response = Net::HTTP.start(uri.host, uri.port, **options) do |http|
        http.post(uri.path, JSON.generate(body), headers)
      end
      result = "#{response.code} #{response.body}"
      break if response.code.to_i < 500
    rescue IOError, SystemCallError, SocketError, Timeout::Error, Net::ProtocolError, OpenSSL::SSL::SSLError => e
      result = "0 #{e.message}"
    end
    sleep pause
  end
  result
end

# Text as it came can have any bytes.
def read_text(value)
  value.to_s.dup.force_encoding(Encoding::UTF_8).scrub.strip
end

# Without port, brackets and zone: [fe80::1%eth0]:443 is fe80::1.
def read_address(text)
  bare = text.strip.sub(/\A\[(.*)\](:\d+)?\z/, '\1').sub(/\A([\d.]+):\d+\z/, '\1')
  IPAddr.new(bare.split("%").first.to_s.delete("/")).to_s
rescue IPAddr::Error
  nil
end

# The first language of two letters in a tag or a header. Shortening fil-PH would make it Finnish.
def read_language(text)
  found = text[0, 200].match(/(?:\A|,)\s*([a-z]{2})(?![a-z\d])/i)
  found ? found[1].downcase : "en"
end

# Cloudflare sends XX for unknown and T1 for Tor.
def read_country(text)
  text.match?(/\A(?!XX)[A-Z]{2}\z/) ? text : nil
end

def read_referrer(text)
  text.match?(%r{\A[a-z][a-z\d+.-]*://[^/?#\\\s]}i) ? text[0, 8192] : nil
end

def read_pixels(text)
  text.match?(/\A\d{1,5}\z/) ? text.to_i : 0
end

WAITING = SizedQueue.new(1000)

# Visitors never wait for Trackside. If it is away for long, the queue is full and this one is lost.
def send_later(&call)
  WAITING.push(call, true)
rescue ThreadError
  warn "The queue is full"
end

def send_waiting
  loop do
    result = WAITING.pop.call
    warn "Trackside: #{result}" unless result.start_with?("200")
  end
end

# A Rack application: mount it in yours, or take what you need from it.
SIDE = lambda do |env|
  visit = describe(env)
  case [env["REQUEST_METHOD"], env["PATH_INFO"]]
  when ["POST", "/side"]
    send_later { send_page_view(visit) } if visit[:ip] && visit[:page].match?(%r{\Ahttps?://[^/?#\\\s]}i)
    [204, {}, []]
  when ["POST", "/sign-up"]
    visit[:page] = "#{SITE}/sign-up"
    send_later { send_event(visit, "Sign-up", { plan: "pro" }) } if visit[:ip]
    [303, { "location" => "/welcome" }, []]
  else
    [404, {}, []]
  end
end

def describe(env)
  form = read_form(env)
  language = read_text(form["language"])
  {
    ip: find_address(env),
    user_agent: read_text(env["HTTP_USER_AGENT"]),
    language: language.empty? ? read_text(env["HTTP_ACCEPT_LANGUAGE"]) : language,
    country: read_text(env["HTTP_CF_IPCOUNTRY"]), # if you are behind Cloudflare
    page: read_text(form["page"]),
    referrer: read_text(form["referrer"]),
    width: read_text(form["screenWidth"]),
    height: read_text(form["screenHeight"])
  }
end

def read_form(env)
  URI.decode_www_form(env["rack.input"]&.read(65_536).to_s).to_h
rescue ArgumentError
  {} # a percent sign without its two digits
end

# Behind proxies, the peer is one of them, and must not be counted as a visitor.
def find_address(env)
  return read_address(env["REMOTE_ADDR"].to_s) if PROXIES.zero?

  read_address(env["HTTP_X_FORWARDED_FOR"].to_s.split(",")[-PROXIES].to_s)
end

if $PROGRAM_NAME == __FILE__ && ARGV == ["serve"]
  require "rackup"
  Thread.new { send_waiting }
  Rackup::Handler.default.run(SIDE, Host: "127.0.0.1", Port: 3000)
elsif $PROGRAM_NAME == __FILE__
  visit = {
    ip: "203.0.113.7",
    user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    language: "en-US",
    country: "DE",
    page: "#{SITE}/",
    referrer: "https://www.google.com/",
    width: "1920",
    height: "1080"
  }
  puts send_page_view(visit)
  puts send_event(visit, "Sign-up", { plan: "pro" })
end
