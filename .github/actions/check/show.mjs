import { appendFile, readFile } from 'node:fs/promises';

/** What the runner calls the severities. @type {Record<string, string>} */
const levels = { high: 'error', medium: 'warning', low: 'notice' };

/**
 * Takes a text out of the grammar of a runner's commands, as `@actions/core` does: a server that is quoted must not give
 * commands.
 * @param {string} text
 */
const data = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** @param {string} text */
const property = (text) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Takes a text out of Markdown and HTML. @param {string} text */
const plain = (text) => text.replaceAll(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`);

/**
 * What is read of a report; `Report` in preload/contract/report.ts has the rest.
 * @typedef {{
 *   baseUrl: string,
 *   ended: { kind: string },
 *   verdict?: { exitCode: number, kind: string, sentence: string },
 *   cases: { id: string, outcome: string }[],
 *   findings: { id: string, severity: string }[],
 *   accepted?: { fault: string, reason: string }[],
 * }} Report
 * @typedef {{ cases: Record<string, string>, findings: Record<string, { title: string }> }} Words
 */

/** @param {string | URL} file @returns {Promise<string | undefined>} */
const read = (file) => readFile(file, 'utf8').catch(() => undefined);

const folder = process.env['REPORTS'] ?? '';
const text = await read(`${folder}/report.json`);
if (text === undefined) {
  process.stdout.write('::notice::The run ended before there was a report.\n');
} else {
  /** @type {Report} */
  const report = JSON.parse(text);
  await show(report);
}

/** Puts a summary on the page of the step, and marks each fault that nobody accepted. @param {Report} report */
async function show({ baseUrl, ended, verdict, cases, findings, accepted = [] }) {
  /** @type {Words} */
  const words = JSON.parse(
    await readFile(new URL('../../../preload/contract/words/reports/en.json', import.meta.url), 'utf8'),
  );
  const reasons = new Map(accepted.map(({ fault, reason }) => [fault, reason]));
  const faults = [
    ...cases
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ id }) => ({ id: `rule:${id}`, severity: 'high', title: `Failed: ${words.cases[id] ?? id}` })),
    ...findings
      .filter(({ severity }) => severity in levels)
      .map(({ id, severity }) => ({ id: `finding:${id}`, severity, title: words.findings[id]?.title ?? id })),
  ];
  for (const { id, severity, title } of faults)
    if (!reasons.has(id)) process.stdout.write(`::${levels[severity]} title=${property(id)}::${data(title)}\n`);
  // What fails a run without being a fault of one case, such as a server where nobody can log in.
  if (verdict && verdict.exitCode !== 0 && !['failed', 'findings'].includes(verdict.kind))
    process.stdout.write(`::error title=${property(verdict.kind)}::${data(verdict.sentence)}\n`);
  const count = (/** @type {string} */ outcome) => cases.filter((each) => each.outcome === outcome).length;
  const lines = [
    `# Contract report: ${plain(baseUrl)}`,
    '',
    ...(verdict ? [plain(verdict.sentence), ''] : []),
    `Passed: ${count('passed')}. Failed: ${count('failed')}. Not measured: ${count('not-measured')}.`,
    ...(ended.kind === 'complete' ? [] : [`The run did not end as it should: ${plain(ended.kind)}.`]),
    '',
    ...(faults.length > 0 ? ['| severity | fault | accepted because |', '|---|---|---|'] : ['Nothing was found.']),
    ...faults.map(({ id, severity, title }) => `| ${severity} | ${plain(title)} | ${plain(reasons.get(id) ?? '')} |`),
  ];
  await appendFile(process.env['GITHUB_STEP_SUMMARY'] ?? '', `${lines.join('\n')}\n`);
}
