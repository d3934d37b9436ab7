import { beforeAll, describe, expect, it } from 'vitest';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';
import { differsFromPicture, pictured } from '../../../support/stub-main/pictures.ts';
import type { Scene } from '../../../support/stub-main/scene.ts';
import { showScene } from '../../../support/stub-main/show-scene.ts';
import { visit } from '../../../support/walk/walk.ts';

openForAll(true);

const login = pictured[0]!.scene;
const breaks = (change: () => void): Scene => ({ ...login, act: () => page.evaluate(change) });

/** Something of everything that may be wrong with what is on the screen. */
function breakAll(): void {
  const form = document.querySelector('main form')!;
  const heading = document.querySelector<HTMLElement>('main h1')!;
  const label = document.querySelector<HTMLElement>('main label')!;
  const words = document.createElement('p');
  const cut = document.createElement('p');
  form.append(document.createElement('button'), document.querySelector('main button[type=submit]')!.cloneNode(true));
  form.append('A token ');
  document.querySelector('main input')!.setAttribute('tabindex', '2');
  heading.setAttribute('aria-pressed', 'true');
  heading.style.setProperty('outline', 'none', 'important');
  label.style.setProperty('color', '#bbb');
  words.append('Words that go on in the next line');
  Object.assign(words.style, { wordBreak: 'break-all', width: '100px' });
  form.prepend(words, cut);
  cut.append('A text that is cut');
  Object.assign(cut.style, { width: '40px', overflow: 'hidden', whiteSpace: 'nowrap' });
  const style = new CSSStyleSheet();
  style.replaceSync('@media (prefers-contrast: more) { main h1 { color: #bbb } }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
}

const foundOnScreen: Record<string, RegExp> = {
  'a missing name': /^“login” in English and light fails at axe: button-name/m,
  'a weak colour': /^“login” in English and light fails at axe: color-contrast/m,
  'a colour that is weak where more contrast is asked for':
    /^“login” in English and light fails at axe with more contrast: color-contrast: <h1/m,
  'two buttons that stand out': /^“login” in Spanish and dark fails at primary buttons: /m,
  'a field out of turn': /^“login” in Spanish and dark fails at focus order: is reached out of turn: <input/m,
  'something chosen without an edge': /^“login” in Spanish and dark fails at forced colours: has no edge: <h1/m,
  'a technical word': /^“login” in Spanish and dark fails at simple face: .*token/m,
  'a text that is cut': /^“login” in Spanish at 1200 fails at fitting texts: is cut: /m,
  'a word that is broken': /^“login” in English, 40 % longer, at 1200 fails at fitting texts: breaks in /m,
  'another picture': /^“login” in English and light fails at picture: .* of login-light\.png is different/m,
};

describe('the walk finds and names', () => {
  let said = '';
  beforeAll(async () => {
    said = (await visit('session', breaks(breakAll))).found.join('\n');
  });
  it.each(Object.entries(foundOnScreen))('%s', (_what, sentence) => expect(said).toMatch(sentence));

  const moving: Record<string, [scene: Scene, sentence: RegExp]> = {
    'something that moves by itself': [
      breaks(() => {
        const heading = document.querySelector<HTMLElement>('main h1')!;
        let top = 0;
        setInterval(() => heading.style.setProperty('margin-top', `${(top += 8)}px`), 100);
      }),
      /^“login” in English and light fails at layout shift: /m,
    ],
    'something that moves in a scene that is still': [
      { ...breaks(() => document.querySelector('main h1')!.after(document.createElement('hr'))), still: true },
      /^“login” in Spanish and dark fails at layout shift: /m,
    ],
    'a question to main that was not expected': [
      { ...login, asks: [], steps: [{ key: 'ControlOrMeta+,' }] },
      /^“login” in English and light fails at layout shift: main is asked .*storage\.overview.*, and not $/m,
    ],
  };
  it.each(Object.entries(moving))('%s', async (_what, [scene, sentence]) =>
    expect((await visit('session', scene)).found.join('\n')).toMatch(sentence),
  );
});

const changes: [what: string, change: () => void][] = [
  ['one colour', () => document.documentElement.style.setProperty('--accent-fill', '#0a6a6a')],
  ['one heading', () => void (document.querySelector('main h1')!.textContent = 'Something else')],
  ['one distance', () => document.querySelector<HTMLElement>('main h1')!.style.setProperty('margin-top', '6px')],
];

it.each(changes)('a change of %s is seen in a picture, and nothing else is', async (_what, change) => {
  const { scene, look } = pictured[0]!;
  await showScene(stub, scene, look);
  expect(await differsFromPicture(stub, scene, look)).toEqual([]);
  await page.evaluate(change);
  expect(await differsFromPicture(stub, scene, look)).toHaveLength(1);
});
