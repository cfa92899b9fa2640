export type Language = 'curl' | 'node' | 'python' | 'php' | 'csharp' | 'go' | 'ruby' | 'java';

/** A language with snippets. Their text is in a file of its own: `snippets/python.txt`. */
export type Snippet = { id: Language; label: string; comment: '#' | '//' };

export const snippets: readonly Snippet[] = [
  { id: 'curl', label: 'curl', comment: '#' },
  { id: 'node', label: 'Node', comment: '//' },
  { id: 'python', label: 'Python', comment: '#' },
  { id: 'php', label: 'PHP', comment: '//' },
  { id: 'csharp', label: 'C#', comment: '//' },
  { id: 'go', label: 'Go', comment: '//' },
  { id: 'ruby', label: 'Ruby', comment: '#' },
  { id: 'java', label: 'Java', comment: '//' },
];

/** The placeholder in the snippets until somebody asks for the key. */
export const keyPlaceholder = 'YOUR_API_KEY';

/** The script of a page. The SDK serves its own, which also counts pages of single-page applications. */
export const scriptFor = (language: Language): string =>
  language === 'node' ? '<script defer src="/side"></script>\n' : pageScript;

const pageScript = `<script>
  navigator.sendBeacon('/side', new URLSearchParams({
    language: navigator.language,
    page: location.href,
    referrer: document.referrer,
    screenWidth: screen.width,
    screenHeight: screen.height,
  }));
</script>
`;
