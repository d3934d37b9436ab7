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
 *   problems?: { fault: string, severity: string, group: string }[],
 *   accepted?: { fault: string, reason: string }[],
 * }} Report
 * @typedef {{ cases: Record<string, string>, findings: Record<string, { title: string }> }} Words
 */

/** @param {string | URL} file @returns {Promise<string | undefined>} */
const read = (file) => readFile(file, 'utf8').catch(() => undefined);

const folder = process.env['REPORTS'] ?? '';
const text = await read(`${folder}/report.json`);
if (text === undefined) {
  process.stdout.write('::notice::The check ended before there was a report.\n');
} else {
  /** @type {Report} */
  const report = JSON.parse(text);
  await show(report);
}

/** Puts a summary on the page of the step, and marks each fault that nobody accepted. @param {Report} report */
async function show({ baseUrl, ended, verdict, cases, problems = [], accepted = [] }) {
  /** @type {Words} */
  const words = JSON.parse(
    await readFile(new URL('../../../preload/contract/locales/reports/en.json', import.meta.url), 'utf8'),
  );
  const reasons = new Map(accepted.map(({ fault, reason }) => [fault, reason]));
  const titleOf = (/** @type {string} */ id) =>
    id.startsWith('rule:')
      ? `Requirement failed: ${words.cases[id.slice('rule:'.length)] ?? id}`
      : (words.findings[id.slice('finding:'.length)]?.title ?? id);
  const faults = problems
    .filter(({ group }) => group !== 'notes')
    .map(({ fault: id, severity }) => ({ id, severity, title: titleOf(id) }));
  for (const { id, severity, title } of faults)
    if (!reasons.has(id))
      process.stdout.write(
        `::${id.startsWith('rule:') ? 'error' : levels[severity]} title=${property(id)}::${data(title)}\n`,
      );
  // What fails a run without being a fault of one case, such as a server where nobody can log in.
  if (verdict && verdict.exitCode !== 0 && !['failed', 'findings'].includes(verdict.kind))
    process.stdout.write(`::error title=${property(verdict.kind)}::${data(verdict.sentence)}\n`);
  const count = (/** @type {string} */ outcome) => cases.filter((each) => each.outcome === outcome).length;
  const lines = [
    `# Check report: ${plain(baseUrl)}`,
    '',
    ...(verdict ? [plain(verdict.sentence), ''] : []),
    `Passed: ${count('passed')}. Failed: ${count('failed')}. Not tested: ${count('not-measured')}.`,
    ...(ended.kind === 'complete' ? [] : [`The check did not complete: ${plain(ended.kind)}.`]),
    '',
    ...(faults.length > 0 ? ['| severity | problem | accepted because |', '|---|---|---|'] : ['No problems found.']),
    ...faults.map(({ id, severity, title }) => `| ${severity} | ${plain(title)} | ${plain(reasons.get(id) ?? '')} |`),
  ];
  await appendFile(process.env['GITHUB_STEP_SUMMARY'] ?? '', `${lines.join('\n')}\n`);
}
