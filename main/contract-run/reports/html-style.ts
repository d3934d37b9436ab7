/** This is the whole look of a report. A report is readable without it, in light and dark, on screen and on paper. */
export const style = `
:root { color-scheme: light dark; --line: #8a8f98; --soft: #f1f3f5; --link: #1558a8; --text: #1a1b1e; --back: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --line: #7a7f88; --soft: #25262b; --link: #8ec5ff; --text: #e6e7ea; --back: #17181b; }
}
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: 0.25rem; }
a { color: var(--link); }
code { font: 0.92em/1.45 ui-monospace, monospace; background: var(--soft); padding: 0.1em 0.25em; border-radius: 3px; unicode-bidi: isolate; }
pre { background: var(--soft); padding: 0.75rem; border-radius: 4px; overflow: auto; max-height: 40rem; white-space: pre-wrap; }
pre code { padding: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: start; font-weight: 600; padding: 0.35rem 0; }
th, td { text-align: start; vertical-align: top; padding: 0.35rem 0.6rem; border: 1px solid var(--line); }
tbody th { font-weight: 500; }
th[scope='rowgroup'] { font-weight: 600; background: var(--soft); }
table.of3, table.of4 { table-layout: fixed; }
.of3 th[scope='col']:first-child, .of4 th[scope='col']:first-child { width: 34%; }
.of3 th[scope='col']:last-child, .of4 th[scope='col']:last-child { width: 7rem; }
details { border: 1px solid var(--line); border-radius: 4px; padding: 0.4rem 0.7rem; margin: 0.4rem 0; }
summary { cursor: pointer; }
details:target { outline: 3px solid var(--link); }
@media print {
  main { max-width: none; padding: 0; }
  pre { max-height: none; }
  details, tr { break-inside: avoid; }
}
`;
