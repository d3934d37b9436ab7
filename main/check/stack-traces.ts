import { withoutEntities } from '../client/reading/sentences.ts';

/** Stack traces as runtimes write them. Each pattern looks at one line or at a bounded piece, so that it is linear. */
const traces: readonly RegExp[] = [
  // V8: `    at parse (/app/node_modules/body-parser/lib/types/json.js:96:19)`.
  /^[^\S\n]{0,80}at (?!\d)(?=[^\n]{0,300}(?:[/\\<]|node:|\.[cm]?[jt]sx?:))[^\n]{1,300}:\d{1,9}:\d{1,9}\)?,?$/m,
  /\bat [\w.$<>[\]]{1,200} \((?:file:|node:|\/|[A-Z]:\\)[^()\n]{1,300}:\d{1,9}:\d{1,9}\)/,
  // Java, Kotlin and Scala.
  /\bat [\w.$<>/@-]{1,300}\((?:[\w$]{1,200}\.(?:java|kt|scala|groovy):\d|Native Method\)|Unknown Source\))/,
  // Tomcat's page omits the `at`.
  /^\t(?:[\w$]{1,100}\.){1,20}[\w$<>]{1,100}\([\w$]{1,200}\.(?:java|kt|scala|groovy):\d/m,
  // .NET, with and without files, and its developer page.
  /\) in [^\s<>]{1,300}\.(?:cs|vb|fs|cshtml), line \d/,
  /^[^\S\n]{0,80}at [^\n]{1,300}\) in [^\n]{1,300}:line \d/m,
  /^[^\S\n]{0,80}at [A-Z]\w{0,100}(?:\.[^\s.()]{1,200}){2,20}\([^()\n]{0,300}\)[^\S\n]{0,9}$/m,
  /--- End of (?:inner exception )?stack trace/,
  // Python.
  /Traceback \(most recent call last\)/,
  /\bFile "[^"\n]{1,300}",\s{1,40}line \d{1,9},\s{1,40}in \S/,
  // Django's page omits the `File`. The path is matched from its end: from each slash it took 50 ms.
  /\.py, line \d{1,9}, in (?<=[/\\][^\s"<>]{1,300}\.py, line \d{1,9}, in )\S/,
  // PHP and Laravel.
  /#\d{1,9} [^#\r\n]{1,300}\.php\(\d{1,9}\): /,
  /#\d{1,3} \{main\}/,
  /\bin [^\s<>]{1,300}\.php(?::\d| on line \d)/,
  /"trace"\s{0,20}:\s{0,20}\[\s{0,80}\{[^{}]{0,2000}"(?:file|line|function|class)"/,
  // Ruby and Rails.
  /\.(?:rb|erb|ru|rake):\d{1,9}:in [`'"]/,
  // Go.
  /^goroutine \d{1,20} \[/m,
  /\.go:\d{1,9} \+0x[\da-f]/,
  /^[\w./*()-]{1,300}\n\t\/[^\s]{1,300}\.go:\d{1,9}$/m,
];

/** The text of a page as a browser shows it, with its line breaks. */
export function htmlToText(page: string): string {
  const text = page
    .replaceAll(/<(?:br|\/?(?:p|li|tr|div|pre|h\d|dd|dt))\b[^<>]{0,500}>/gi, '\n')
    .replaceAll(/<[!/a-z][^<>]{0,2000}>/gi, '');
  return withoutEntities(text).replaceAll('\u00a0', ' ');
}

/** True for a stack trace in plain text or in HTML. */
export function showsStackTrace(text: string): boolean {
  const shown = text.includes('<') || text.includes('&') ? [text, htmlToText(text)] : [text];
  return shown.some((each) => traces.some((trace) => trace.test(each)));
}

/** Texts of the debug pages of frameworks. */
const debugPages: readonly RegExp[] = [
  // Django: a 404 lists the paths of the application.
  /You(?:’|'|&#x27;)re seeing this (?:error|page) because you have <code>DEBUG = True<\/code>/,
  // Rails: a routing error lists the routes.
  /<h[12]>\s{0,20}Routing Error\s{0,20}<\/h[12]>|Rails\.root: \//,
  // Werkzeug, which Flask shows with `debug=True`.
  /The debugger caught an exception in your WSGI application|<title>[^<]{0,200}\/\/ Werkzeug Debugger<\/title>/,
  // Symfony, and Laravel with Ignition, Whoops and its own page.
  /Symfony Exception|class="exception-message-wrapper"|<!--\s{0,9}(?:Spatie\\)?Ignition|\bWhoops\\Exception\\|Whoops! There was an error\./,
  // ASP.NET Core, and ASP.NET before it.
  /An unhandled exception occurred while processing the request\.|Server Error in '[^']{0,100}' Application\./,
  // Phoenix, and Laravel's current debug page.
  /<title>Phoenix\.Router\.NoRouteError|laravel-exceptions-renderer/,
];

const maxSearchedCharacters = 200_000;

export const showsDebugPage = (page: string): boolean =>
  page.includes('<') && debugPages.some((each) => each.test(page.slice(0, maxSearchedCharacters)));
