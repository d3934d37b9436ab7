/** The style of a report, light and dark. A report is readable without it. */
export const style = `
:root {
  color-scheme: light dark;
  --mono: ui-monospace, 'Cascadia Mono', 'SF Mono', 'DejaVu Sans Mono', 'Liberation Mono', monospace;
  --canvas: light-dark(#f6f7f9, #14171c); --surface: light-dark(#fff, #1c2027); --sunken: light-dark(#f3f4f7, #15181e);
  --line: light-dark(#dde1e8, #2e343e); --edge: light-dark(#7f8796, #747d8d);
  --text: light-dark(#161a22, #eceef2); --text-2: light-dark(#454d5c, #bcc2cd); --text-3: light-dark(#5c6473, #9ba3b1);
  --accent: light-dark(#2d3fa8, #aab8ff); --observed: light-dark(#7f8ce0, #7686e8); --good: light-dark(#17663a, #74d39c);
  --warn: light-dark(#774800, #efbb5b); --warn-soft: light-dark(#fcf0d6, #35290f); --warn-fill: light-dark(#c07d12, #efbb5b);
  --bad: light-dark(#ad241c, #ff948b); --bad-fill: light-dark(#b9261d, #c8392f);
}
* { box-sizing: border-box; }
body { margin: 0; border-top: 8px solid var(--observed); background: var(--canvas); color: var(--text); font: 400 15px/23px Inter, system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 832px; margin: 0 auto; padding: 28px 28px 64px; }
h1, h2, h3, p, ul, pre { margin: 0; padding: 0; }
h1 { color: var(--text-2); font-size: 13px; line-height: 18px; font-weight: 550; }
h1 + p { margin-top: 20px; font-size: 26px; line-height: 34px; letter-spacing: -0.018em; text-wrap: balance; }
h1 + p strong { font-weight: 620; } h1 + p code { padding: 0; background: none; font: inherit; font-weight: 620; }
h1 + p + p { margin-top: 8px; color: var(--text-2); }
h2 { margin: 36px 0 12px; font-size: 20px; line-height: 28px; font-weight: 620; letter-spacing: -0.012em; }
h3 { font-size: 16px; line-height: 24px; font-weight: 600; }
p + p, p + ul, ul + p, pre + p { margin-top: 8px; }
ul { padding-inline-start: 20px; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
code, pre { font-family: var(--mono); font-size: 13px; } code { unicode-bidi: isolate; }
pre { margin-top: 6px; padding: 12px 14px; overflow: auto; max-height: 40rem; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); line-height: 20px; white-space: pre-wrap; tab-size: 2; }
:focus-visible, :target { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.bar { display: block; width: 100%; height: 8px; border-radius: 2px; } .good { fill: var(--good); } .bad { fill: var(--bad-fill); } .warn { fill: var(--warn-fill); } .observed { fill: var(--observed); } .rest { fill: var(--edge); fill-opacity: 0.45; }
.tally { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 20px; margin: 24px 0 0; padding: 18px 20px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); font-size: 14px; line-height: 20px; }
.tally div { display: grid; gap: 7px; align-content: start; } .tally dt { color: var(--text-3); font-size: 13px; } .tally dd { display: grid; gap: 7px; margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-top: 18px; font-size: 14px; } nav a { min-height: 24px; }
.item { display: grid; grid-template-columns: 76px minmax(0, 1fr) auto; gap: 2px 12px; padding: 16px 0 18px; border-top: 1px solid var(--line); }
.item > :not(.sev, h3, .ev) { grid-column: 2 / -1; margin-top: 0; } .item > p { color: var(--text-2); } .item > ul { padding: 0; list-style: none; }
.ev { color: var(--text-3); font-size: 13px; line-height: 24px; text-align: end; max-width: 110px; }
.sev { justify-self: start; align-self: start; padding: 0 8px; border-radius: 4px; font-size: 12px; line-height: 22px; font-weight: 650; background: var(--sunken); color: var(--text-2); box-shadow: inset 0 0 0 1px var(--edge); }
.sev::first-letter { text-transform: uppercase; } .sev.high { background: var(--bad-fill); box-shadow: none; color: #fff; } .sev.medium { background: var(--warn-soft); box-shadow: inset 0 0 0 1px var(--warn); color: var(--warn); }
summary { min-height: 28px; color: var(--accent); font-size: 14px; font-weight: 550; line-height: 28px; cursor: pointer; }
.sec { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 12px; padding: 24px 0 8px; } .sec .bar { width: 96px; margin-inline-start: auto; } .sec span { color: var(--text-2); font-size: 13px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; line-height: 21px; } caption { padding: 6px 0; font-weight: 600; text-align: start; }
th, td { padding: 9px 16px 9px 0; border-top: 1px solid var(--line); font-weight: 400; text-align: start; vertical-align: top; } td { color: var(--text); } tbody th { color: var(--text-2); }
th[scope='col'] { border: 0; color: var(--text-3); font-size: 13px; } th[scope='rowgroup'] { padding-top: 18px; color: var(--text); }
.of3, .of4 { table-layout: fixed; } .of3 th[scope='col']:first-child { width: 42%; } .of4 th[scope='col']:first-child { width: 38%; } .of3 th:last-child, .of4 th:last-child, .of3 td:last-child, .of4 td:last-child { width: 7rem; padding-inline-end: 0; color: var(--text-3); font-size: 13px; }
.tree { margin: 2px 0 0; padding: 6px 12px 6px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--surface); font-size: 13px; list-style: none; } .tree ul { padding-inline-start: 16px; list-style: none; } .tree summary { color: var(--text); font-weight: 400; font-size: 13px; min-height: 26px; line-height: 26px; } .tree li { min-height: 26px; line-height: 26px; } .tree li > code:first-child { padding-inline-start: 15px; } .tree span { float: inline-end; color: var(--text-3); }
.tree em { margin-inline-start: 6px; padding: 1px 7px; border-radius: 99px; background: var(--warn-soft); color: var(--warn); font-size: 12px; font-style: normal; }
.call { border-top: 1px solid var(--line); } .call > summary { padding-block: 4px; color: var(--text-2); font-weight: 400; }
@media (max-width: 600px) {
  main { padding: 20px 18px 48px; } h1 + p { font-size: 22px; line-height: 29px; } .tally { grid-template-columns: minmax(0, 1fr); gap: 14px; padding: 14px 16px; }
  .item { grid-template-columns: minmax(0, 1fr) auto; } .item > :not(.sev, .ev) { grid-column: 1 / -1; } .item > .ev { grid-area: 1 / 2; }
  .of3 thead, .of4 thead { position: absolute; clip-path: inset(50%); } .of3 tr, .of4 tr { display: block; padding: 8px 0; border-top: 1px solid var(--line); } .of3 :is(th, td), .of4 :is(th, td) { display: block; width: auto !important; padding: 0; border: 0; } .sec .bar { margin: 0; } pre { font-size: 12px; }
}
@page { margin: 16mm 15mm 18mm; }
@media print {
  /* The folds of a finding and of fields are open on paper. Those of the calls would be hundreds of pages. */
  :root { color-scheme: light; } body { background: #fff; font-size: 10.5pt; line-height: 15pt; } main { max-width: none; padding: 14pt 0 0; } nav { display: none; }
  body, .bar, .sev, .tree em { print-color-adjust: exact; -webkit-print-color-adjust: exact; } .item, tr, .call { break-inside: avoid; } h2, .sec { break-after: avoid; }
  details:not(.call)::details-content { content-visibility: visible; display: block; block-size: auto; } pre { max-height: none; font-size: 8.5pt; line-height: 12pt; }
}
`;
