import type { Sent } from './sent.ts';

export function rubySnippet(origin: string, domain: string, key: string, sent: Sent): string {
  const isEvent = sent === 'event';
  return `# trackside.rb: Ruby 3 or newer, nothing to install.
require "json"
require "net/http"

API_KEY = "${key}"

def send_record(visit)
  body = {
${isEvent ? event : ''}    Metrics: {
      Browser: { IP: visit[:ip], UserAgent: visit[:user_agent] },
      Identify: { ClientId: visit[:client_id] },
      Language: { Code: visit[:language][0, 2] },
      Location: { CountryCode: visit[:country] },
      Page: { Absolute: visit[:page] },
      Referrer: { Absolute: visit[:referrer] },
      Screen: { Width: visit[:screen_width], Height: visit[:screen_height] }
    }
  }
  response = Net::HTTP.post(
    URI("${origin}/api/${isEvent ? 'event-view' : 'page-view'}"),
    JSON.generate(body),
    "Authorization" => API_KEY,
    "Content-Type" => "application/json"
  )
  raise "${sent} refused: #{response.body}" unless response.is_a?(Net::HTTPOK)
end

send_record(
  ip: "203.0.113.7", # request.remote_ip
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", # request.user_agent.to_s
  client_id: nil, # your own id of a signed-in user, if you have one
  country: "DE", # from your proxy or a GeoIP look-up, or nil
  # The rest comes from a small script in the page:
  language: "en-US", # navigator.language
  page: "https://${domain}/", # location.href
  referrer: "https://www.google.com/", # document.referrer, or nil
  screen_width: 1920, # screen.width
  screen_height: 1080 # screen.height
)
puts "sent"
`;
}

/** What an event has besides the metrics of a page view. */
const event = `    Name: "Sign-up",
    Parameters: [{ Name: "plan", Value: "pro" }],
`;

export const rubyEndpoint = `# In place of the call at the end of trackside.rb. First: gem install sinatra puma rackup
require "sinatra"

post "/side" do
  send_record(
    ip: request.ip,
    user_agent: request.user_agent.to_s,
    client_id: nil,
    country: nil,
    language: "#{params["language"]}en",
    page: params["page"].to_s,
    referrer: params["referrer"].to_s.empty? ? nil : params["referrer"],
    screen_width: params["screenWidth"].to_i,
    screen_height: params["screenHeight"].to_i
  )
  204
end
`;
