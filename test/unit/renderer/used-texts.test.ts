import type { i18n } from 'i18next';
import { describe, expect, it } from 'vitest';
import en from '../../../preload/contract/locales/window/en.json' with { type: 'json' };
import { setI18n } from '../../../renderer/i18n.ts';
import { errorText, type During } from '../../../renderer/error-text.ts';
import { rendererFiles, textParts, visitSyntax } from '../../support/renderer-source.ts';
import { everyError } from '../../support/stub-main/every-error.ts';
import { flatTexts } from '../../support/texts.ts';

/**
 * Keys that the code puts together in a group that also has keys of other uses: what stands for the star. Every other
 * template uses all keys that it fits.
 */
const names: Record<string, readonly string[]> = {
  'builtIn.*': ['times', 'chance', 'previous', 'next'],
  'builtIn.session.*': ['expire', 'revoke'],
  'builtIn.tabs.*': ['behaviour', 'people', 'sessions', 'requests', 'data'],
  'calls.*': ['pretty', 'raw'],
  'connection.*': ['proxyPassword', 'passphrase'],
  'mocks.verification.*': ['from-file', 'not-compared', 'running'],
  'mocks.values.*': ['many', 'one', 'newest', 'its-token', 'all-tokens', 'second-logout', 'nothing'],
  'mocks.work.*': ['measuring', 'learning'],
  'field.*': ['email', 'username'],
  'interface.refused.*': ['unknown-format', 'resource-limit', 'unreadable-file'],
  'pin.*': ['current', 'next', 'repeated'],
  'profile.*': ['name', 'email', 'id'],
  'register.*': ['registro', 'register'],
  'sessions.*': ['use', 'logout', 'retry', 'giveUp'],
  'sessions.short.*': ['use', 'logout', 'retry', 'giveUp'],
  'storage.limits.*': ['count', 'megabytes'],
  'understood.*': ['token', 'user', 'message', 'fieldErrors', 'retryAfterSeconds'],
  'updates.*': ['not-checked', 'checking', 'downloading', 'ready'],
  'vault.*': ['asking', 'not-asked', 'locked', 'no-keyring', 'keyring-failed', 'file-unreadable'],
};

/** Groups that the code reads whole, since what their texts are about has names that it does not know. */
const readWhole: readonly string[] = ['interface.notes'];

/** A template of a key names its group. */
const beginsWithGroup = /^[a-z][\w-]*\./i;

/** Templates that put together keys of errors. `usedByErrors` finds those by saying every error. */
const ofErrors = /^error\./;

const keys = flatTexts(en).map(([key]) => key);

function textsInCode(): { literals: Set<string>; templates: Map<string, string> } {
  const literals = new Set<string>();
  const templates = new Map<string, string>();
  for (const { name, program } of rendererFiles()) {
    visitSyntax(program, (piece) => {
      const parts = textParts(piece);
      if (parts?.includes(null)) templates.set(parts.map((part) => part ?? '*').join(''), name);
      else if (parts) literals.add(parts.join(''));
    });
  }
  return { literals, templates };
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const fits = (template: string, key: string): boolean =>
  new RegExp(`^${template.split('*').map(escaped).join('[^.]+')}$`).test(key);

/** Says every error during everything, and notes the keys. */
function usedByErrors(): Set<string> {
  const used = new Set<string>();
  const note = (key: string): string => {
    used.add(key);
    return key;
  };
  // An instance of i18next has more, of which nothing that says an error makes use.
  setI18n({ t: note, language: 'en' } as unknown as i18n);
  const during: During[] = ['login', 'register', 'check', 'logout', 'server'];
  for (const error of everyError)
    for (const each of during) for (const plain of [false, true]) errorText(error, each, plain);
  return used;
}

const { literals, templates } = textsInCode();
const fitting = [...templates.keys()]
  .filter((template) => beginsWithGroup.test(template) && !ofErrors.test(template))
  .map((template) => ({ template, keys: keys.filter((key) => fits(template, key)) }))
  .filter((each) => each.keys.length > 0);

describe('the texts of the screens', () => {
  it('are all used', () => {
    const byTemplate = fitting.flatMap(({ template, keys }) =>
      names[template] ? names[template].map((name) => template.replace('*', name)) : keys,
    );
    const used = new Set([...literals, ...byTemplate, ...usedByErrors()]);
    // The count chooses the form of a plural.
    const isUsed = (key: string) =>
      used.has(key) ||
      used.has(key.replace(/_(?:one|many|other)$/, '')) ||
      readWhole.some((group) => literals.has(group) && key.startsWith(`${group}.`));
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });

  it('have a name in this file wherever one template could fit a whole group with other keys in it', () => {
    // A template of one star after one name, such as `calls.*`, fits every key of a group.
    const unnamed = fitting.filter(
      ({ template, keys }) =>
        names[template] === undefined && keys.filter((key) => literals.has(key)).length > keys.length / 2,
    );
    expect(unnamed.map(({ template }) => `${template} in ${templates.get(template)}`)).toEqual([]);
  });

  it('have no name in this file that is not there any more', () => {
    const gone = Object.entries(names).flatMap(([template, each]) =>
      each.map((name) => template.replace('*', name)).filter((key) => !keys.includes(key) || !templates.has(template)),
    );
    expect(gone).toEqual([]);
  });
});
