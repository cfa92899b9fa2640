// Program.cs: .NET 8 or newer, in a project made by: dotnet new web
//   dotnet run            sends a test page view and an event
//   dotnet run -- serve   receives what the script in your pages sends, on port 3000
using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading.Channels;

if (args is ["serve"])
{
    var app = WebApplication.Create();
    _ = Task.Run(Trackside.SendWaiting);
    app.MapPost("/side", async (HttpRequest request) =>
    {
        var visit = await Trackside.Describe(request);
        if (visit.Ip is not null && Regex.IsMatch(visit.Page, @"^https?://[^/?#\\\s]", RegexOptions.IgnoreCase))
            Trackside.SendLater(() => Trackside.SendPageView(visit));
        return Results.NoContent();
    });
    app.MapPost("/sign-up", async (HttpRequest request) =>
    {
        var visit = await Trackside.Describe(request) with { Page = $"{Trackside.Site}/sign-up" };
        if (visit.Ip is not null)
            Trackside.SendLater(() => Trackside.SendEvent(visit, "Sign-up", new() { ["plan"] = "pro" }));
        return Results.Redirect("/welcome");
    });
    app.Run("http://127.0.0.1:3000");
    return;
}

var test = new Visit(
    Ip: "203.0.113.7",
    UserAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    Language: "en-US",
    Country: "DE",
    Page: $"{Trackside.Site}/",
    Referrer: "https://www.google.com/",
    Width: "1920",
    Height: "1080");
Console.WriteLine(await Trackside.SendPageView(test));
Console.WriteLine(await Trackside.SendEvent(test, "Sign-up", new() { ["plan"] = "pro" }));

record Visit(string? Ip, string UserAgent, string Language, string Country, string Page, string Referrer,
    string Width, string Height);

static class Trackside
{
    const string Server = "http://127.0.0.1:8080";
    const string ApiKey = "YOUR_API_KEY";
    public const string Site = "https://shop.example";
    static readonly int Proxies = 0; // how many of your own proxies are in front of this program
    const int TimeoutSeconds = 3;

    // One for the whole application: it keeps the connection open.
    static readonly HttpClient Http = new() { Timeout = TimeSpan.FromSeconds(TimeoutSeconds) };

    // Everything from a browser can be missing or made up, so nothing is passed on unread.
    static object Metrics(Visit visit) => new
    {
        Browser = new { IP = visit.Ip, UserAgent = Cut(visit.UserAgent, 2048) },
        Identify = new { ClientId = (string?)null }, // your own id of a signed-in user, if you have one
        Language = new { Code = ReadLanguage(visit.Language) },
        Location = new { CountryCode = ReadCountry(visit.Country) },
        Page = new { Absolute = Cut(visit.Page, 8192) },
        Referrer = new { Absolute = ReadReferrer(visit.Referrer) },
        Screen = new { Width = ReadPixels(visit.Width), Height = ReadPixels(visit.Height) },
    };

    public static Task<string> SendPageView(Visit visit) =>
        Send("/api/page-view", new { Metrics = Metrics(visit) });

    public static Task<string> SendEvent(Visit visit, string name, Dictionary<string, string> parameters)
    {
        var listed = parameters.Select(each => new { Name = each.Key, each.Value });
        return Send("/api/event-view", new { Name = name, Parameters = listed, Metrics = Metrics(visit) });
    }

    // Returns the status and the answer. All attempts have the same key, so the record counts once.
    static async Task<string> Send(string path, object body)
    {
        var json = JsonSerializer.Serialize(body);
        var key = Guid.NewGuid().ToString();
        var result = "";
        foreach (var pause in new[] { 1, 2, 0 })
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, Server + path);
            request.Headers.TryAddWithoutValidation("Authorization", ApiKey);
            request.Headers.TryAddWithoutValidation("Idempotency-Key", key);
            request.Content = new StringContent(json, Encoding.UTF8, "application/json");
            try
            {
                using var response = await Http.SendAsync(request);
                result = $"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}";
                if ((int)response.StatusCode < 500) break;
            }
            catch (Exception fault) when (fault is HttpRequestException or TaskCanceledException or IOException)
            {
                result = $"0 {fault.Message}";
            }
            await Task.Delay(TimeSpan.FromSeconds(pause));
        }
        return result;
    }

    static string Cut(string text, int most) => text.Length > most ? text[..most] : text;

    // Without port, brackets and zone: [fe80::1%eth0]:443 is fe80::1.
    static string? ReadAddress(string text)
    {
        var bare = Regex.Replace(text.Trim(), @"^\[(.*)\](:\d+)?$|^([\d.]+):\d+$", "$1$3");
        return IPAddress.TryParse(bare.Split('%')[0], out var address) ? address.ToString() : null;
    }

    // The first language of two letters in a tag or a header. Shortening fil-PH would make it Finnish.
    static string ReadLanguage(string text)
    {
        var found = Regex.Match(Cut(text, 200), @"(?:^|,)\s*([a-zA-Z]{2})(?![a-zA-Z\d])");
        return found.Success ? found.Groups[1].Value : "en";
    }

    // Cloudflare sends XX for unknown and T1 for Tor.
    static string? ReadCountry(string text) => Regex.IsMatch(text, @"^(?!XX)[A-Z]{2}\z") ? text : null;

    static string? ReadReferrer(string text) =>
        Regex.IsMatch(text, @"^[a-zA-Z][a-zA-Z0-9+.-]*://[^/?#\\\s]") ? Cut(text, 8192) : null;

    static int ReadPixels(string text) => Regex.IsMatch(text, @"^[0-9]{1,5}\z") ? int.Parse(text) : 0;

    static readonly Channel<Func<Task<string>>> Waiting = Channel.CreateBounded<Func<Task<string>>>(1000);

    // Visitors never wait for Trackside. If it is away for long, the queue is full and this one is lost.
    public static void SendLater(Func<Task<string>> call)
    {
        if (!Waiting.Writer.TryWrite(call)) Console.Error.WriteLine("The queue is full");
    }

    public static async Task SendWaiting()
    {
        await foreach (var call in Waiting.Reader.ReadAllAsync())
        {
            var result = await call();
            if (!result.StartsWith("200")) Console.Error.WriteLine($"Trackside: {result}");
        }
    }

    public static async Task<Visit> Describe(HttpRequest request)
    {
        var form = await ReadForm(request);
        string Field(string name) => form[name].ToString().Trim();
        string Header(string name) => request.Headers[name].ToString();
        return new Visit(
            Ip: FindAddress(request),
            UserAgent: Header("User-Agent"),
            Language: Field("language") is { Length: > 0 } language ? language : Header("Accept-Language"),
            Country: Header("CF-IPCountry"), // if you are behind Cloudflare
            Page: Field("page"),
            Referrer: Field("referrer"),
            Width: Field("screenWidth"),
            Height: Field("screenHeight"));
    }

    static async Task<IFormCollection> ReadForm(HttpRequest request)
    {
        try
        {
            if (request.HasFormContentType && request.ContentLength is <= 65_536) return await request.ReadFormAsync();
        }
        catch (Exception fault) when (fault is InvalidDataException or IOException)
        {
        }
        return FormCollection.Empty;
    }

    // Behind proxies, the peer is one of them, and must not be counted as a visitor.
    static string? FindAddress(HttpRequest request)
    {
        if (Proxies == 0) return ReadAddress(request.HttpContext.Connection.RemoteIpAddress?.ToString() ?? "");
        var chain = request.Headers["X-Forwarded-For"].ToString().Split(',');
        return chain.Length >= Proxies ? ReadAddress(chain[^Proxies]) : null;
    }
}
