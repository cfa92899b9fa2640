import type { Sent } from './sent.ts';

export function csharpSnippet(origin: string, domain: string, key: string, sent: Sent): string {
  const isEvent = sent === 'event';
  return `// Program.cs: .NET 8 or newer, nothing to install.
using System.Net.Http.Json;

const string apiKey = "${key}";

// One for the whole application: it keeps the connection open.
using var http = new HttpClient { BaseAddress = new Uri("${origin}"), Timeout = TimeSpan.FromSeconds(5) };
http.DefaultRequestHeaders.TryAddWithoutValidation("Authorization", apiKey);

await SendAsync(new Visit(
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

async Task SendAsync(Visit visit)
{
    var body = new
    {
${isEvent ? event : ''}        Metrics = new
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
    using var response = await http.PostAsJsonAsync("/api/${isEvent ? 'event-view' : 'page-view'}", body, asWritten);
    if (!response.IsSuccessStatusCode)
        throw new HttpRequestException(await response.Content.ReadAsStringAsync());
}

record Visit(string Ip, string UserAgent, string? ClientId, string? Country, string Language,
    string Page, string? Referrer, double ScreenWidth, double ScreenHeight);
`;
}

/** What an event has besides the metrics of a page view. */
const event = `        Name = "Sign-up",
        Parameters = new[] { new { Name = "plan", Value = "pro" } },
`;

export const csharpEndpoint = `// In place of the call in Program.cs, in a project made by: dotnet new web
var app = WebApplication.Create(args);
app.MapPost("/side", async (HttpRequest request) =>
{
    var form = await request.ReadFormAsync();
    await SendAsync(new Visit(
        Ip: request.HttpContext.Connection.RemoteIpAddress!.ToString(), // behind a proxy: UseForwardedHeaders
        UserAgent: request.Headers.UserAgent.ToString(),
        ClientId: null,
        Country: null,
        Language: form["language"] + "en",
        Page: form["page"].ToString(),
        Referrer: form["referrer"] == "" ? null : form["referrer"].ToString(),
        ScreenWidth: double.TryParse(form["screenWidth"], out var width) ? width : 0,
        ScreenHeight: double.TryParse(form["screenHeight"], out var height) ? height : 0));
    return Results.NoContent();
});
app.Run();
`;
