export function rubySnippet(origin: string, domain: string, key: string): string {
  return `# page_view.rb: Ruby 3 or newer, nothing to install.
require "json"
require "net/http"

API_KEY = "${key}"

def send_page_view(visit)
  body = {
    Metrics: {
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
    URI("${origin}/api/page-view"),
    JSON.generate(body),
    "Authorization" => API_KEY,
    "Content-Type" => "application/json"
  )
  raise "page view refused: #{response.body}" unless response.is_a?(Net::HTTPOK)
end

send_page_view(
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
