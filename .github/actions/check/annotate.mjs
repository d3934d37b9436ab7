import { readFile } from 'node:fs/promises';

/** What GitHub calls the levels of SARIF. @type {Record<string, string>} */
const commands = { error: 'error', warning: 'warning', note: 'notice' };

/**
 * Takes a text out of the grammar of a runner's commands, as `@actions/core` does: a server that is quoted must not give
 * commands.
 * @param {string} text
 */
const data = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** @param {string} text */
const property = (text) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const [file = ''] = process.argv.slice(2);
/** @type {{ runs: { results: { ruleId: string, level: string, message: { text: string }, suppressions: unknown[] }[] }[] }} */
const sarif = JSON.parse(await readFile(file, 'utf8'));
for (const { ruleId, level, message, suppressions } of sarif.runs.flatMap(({ results }) => results)) {
  if (suppressions.length === 0)
    process.stdout.write(`::${commands[level] ?? 'notice'} title=${property(ruleId)}::${data(message.text)}\n`);
}
