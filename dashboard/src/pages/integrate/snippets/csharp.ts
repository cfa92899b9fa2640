export function csharpSnippet(origin: string, domain: string, key: string): string {
  return `// Program.cs: .NET 8 or newer, nothing to install.
using System.Net.Http.Json;

const string apiKey = "${key}";

// One for the whole application: it keeps the connection open.
using var http = new HttpClient { BaseAddress = new Uri("${origin}"), Timeout = TimeSpan.FromSeconds(5) };
http.DefaultRequestHeaders.TryAddWithoutValidation("Authorization", apiKey);

await SendPageViewAsync(new Visit(
    Ip: "203.0.113.7", // HttpContext.Connection.RemoteIpAddress, or what your proxy says
    UserAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", // Request.Headers.UserAgent
    ClientId: null, // your own id of a signed-in user, if you have one
    Country: "DE", // from your proxy or a GeoIP look-up, or null
    // The rest comes from a small script in the page:
    Language: "en-US", // navigator.language
    Page: "https://${domain}/", // location.href
    Referrer: "https://www.google.com/", // document.referrer, or null
    ScreenWidth: 1920, // screen.width
    ScreenHeight: 1080)); // screen.height
Console.WriteLine("sent");

async Task SendPageViewAsync(Visit visit)
{
    var body = new
    {
        Metrics = new
        {
            Browser = new { IP = visit.Ip, visit.UserAgent },
            Identify = new { visit.ClientId },
            Language = new { Code = visit.Language[..2] },
            Location = new { CountryCode = visit.Country },
            Page = new { Absolute = visit.Page },
            Referrer = new { Absolute = visit.Referrer },
            Screen = new { Width = visit.ScreenWidth, Height = visit.ScreenHeight },
        },
    };
    // Without these options, the names would be sent in camelCase.
    var asWritten = new System.Text.Json.JsonSerializerOptions { PropertyNamingPolicy = null };
    using var response = await http.PostAsJsonAsync("/api/page-view", body, asWritten);
    if (!response.IsSuccessStatusCode)
        throw new HttpRequestException(await response.Content.ReadAsStringAsync());
}

record Visit(string Ip, string UserAgent, string? ClientId, string? Country, string Language,
    string Page, string? Referrer, double ScreenWidth, double ScreenHeight);
`;
}
