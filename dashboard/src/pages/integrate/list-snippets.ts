export type Language = 'curl' | 'node' | 'python' | 'php' | 'csharp' | 'go' | 'ruby' | 'java';

export type Snippet = {
  id: Language;
  label: string;
  comment: '#' | '//';
  /** The program, in `examples/snippets`. */
  file: string;
  /** The command that starts its endpoint. The shell script has none. */
  serve?: string;
};

export const snippets: readonly Snippet[] = [
  { id: 'curl', label: 'curl', comment: '#', file: 'trackside.sh' },
  { id: 'node', label: 'Node', comment: '//', file: 'trackside.mjs', serve: 'node trackside.mjs serve' },
  { id: 'python', label: 'Python', comment: '#', file: 'trackside.py', serve: 'python3 trackside.py serve' },
  {
    id: 'php',
    label: 'PHP',
    comment: '//',
    file: 'trackside.php',
    serve: 'php -S 127.0.0.1:3000 trackside.php',
  },
  { id: 'csharp', label: 'C#', comment: '//', file: 'Program.cs', serve: 'dotnet run -- serve' },
  { id: 'go', label: 'Go', comment: '//', file: 'trackside.go', serve: 'go run trackside.go serve' },
  { id: 'ruby', label: 'Ruby', comment: '#', file: 'trackside.rb', serve: 'ruby trackside.rb serve' },
  { id: 'java', label: 'Java', comment: '//', file: 'Trackside.java', serve: 'java Trackside.java serve' },
];

/** The script of a page. The SDK serves its own, which also counts pages of single-page applications. */
export const scriptFor = (language: Language): string =>
  language === 'node' ? 'page-of-sdk.html' : 'page.html';

export const snippetFiles: readonly string[] = [
  ...new Set(snippets.flatMap(({ id, file }) => [file, scriptFor(id)])),
];

/** The placeholder in the programs until somebody asks for the key. */
export const keyPlaceholder = 'YOUR_API_KEY';

/** The programs are complete, so they have values where those of the reader's website belong. */
export const insertValues = (text: string, origin: string, domain: string, key: string): string =>
  text
    .replaceAll('http://127.0.0.1:8080', origin)
    .replaceAll('https://shop.example', `https://${domain}`)
    .replaceAll(keyPlaceholder, key);
