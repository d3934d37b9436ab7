import { withoutEntities } from '../client/reading/sentences.ts';

/** This is how runtimes write where an error came from. Each pattern looks at a line, or at a bounded piece of a text. */
const traces: readonly RegExp[] = [
  // V8: `    at parse (/app/node_modules/body-parser/lib/types/json.js:96:19)`.
  /^[^\S\n]{0,80}at (?!\d)(?=[^\n]{0,300}(?:[/\\<]|node:|\.[cm]?[jt]sx?:))[^\n]{1,300}:\d{1,9}:\d{1,9}\)?,?$/m,
  /\bat [\w.$<>[\]]{1,200} \((?:file:|node:|\/|[A-Z]:\\)[^()\n]{1,300}:\d{1,9}:\d{1,9}\)/,
  // Java, Kotlin and Scala.
  /\bat [\w.$<>/@-]{1,300}\((?:[\w$]{1,200}\.(?:java|kt|scala|groovy):\d|Native Method\)|Unknown Source\))/,
  // Tomcat's page leaves out the `at`.
  /^\t(?:[\w$]{1,100}\.){1,20}[\w$<>]{1,100}\([\w$]{1,200}\.(?:java|kt|scala|groovy):\d/m,
  // .NET, with its files and without them, and as its page for developers has it.
  /\) in [^\s<>]{1,300}\.(?:cs|vb|fs|cshtml), line \d/,
  /^[^\S\n]{0,80}at [^\n]{1,300}\) in [^\n]{1,300}:line \d/m,
  /^[^\S\n]{0,80}at [A-Z]\w{0,100}(?:\.[^\s.()]{1,200}){2,20}\([^()\n]{0,300}\)[^\S\n]{0,9}$/m,
  /--- End of (?:inner exception )?stack trace/,
  // Python.
  /Traceback \(most recent call last\)/,
  /\bFile "[^"\n]{1,300}",\s{1,40}line \d{1,9},\s{1,40}in \S/,
  // Django's page leaves out the `File`. The path is looked for from its end: from each slash it took 50 ms.
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

/** Returns a page's text as a browser shows it: lines where it breaks them, and no markup. */
export function htmlToText(page: string): string {
  const text = page
    .replaceAll(/<(?:br|\/?(?:p|li|tr|div|pre|h\d|dd|dt))\b[^<>]{0,500}>/gi, '\n')
    .replaceAll(/<[!/a-z][^<>]{0,2000}>/gi, '');
  return withoutEntities(text).replaceAll('\u00a0', ' ');
}

/** Says whether a text tells where in a server's code an error came from, as plain text or as a page shows it. */
export function showsStackTrace(text: string): boolean {
  const shown = text.includes('<') || text.includes('&') ? [text, htmlToText(text)] : [text];
  return shown.some((each) => traces.some((trace) => trace.test(each)));
}

/** This is how pages for developers say what they are, each in its framework's own words. */
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
  // Phoenix, and Laravel's debug page of today.
  /<title>Phoenix\.Router\.NoRouteError|laravel-exceptions-renderer/,
];

const searchedForDebug = 200_000;

/** Says whether a page is one that a framework shows to developers only. */
export const showsDebugPage = (page: string): boolean =>
  page.includes('<') && debugPages.some((each) => each.test(page.slice(0, searchedForDebug)));
