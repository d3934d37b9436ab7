import { expect, it } from 'vitest';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';
import { differsFromPicture, pictured } from '../../../support/stub-main/pictures.ts';
import type { Scene } from '../../../support/stub-main/scene.ts';
import { showScene } from '../../../support/stub-main/show-scene.ts';
import { visit } from '../../../support/walk/walk.ts';

openForAll(true);

const login = pictured[0]!.scene;
const breaks = (change: () => void): Scene => ({ ...login, act: () => page.evaluate(change) });

/** A fault of each kind, and a sentence that the walk has to say of it. */
const faults: Record<string, [scene: Scene, says: RegExp]> = {
  'a missing name': [
    breaks(() => document.querySelector('main form button[aria-label]')!.removeAttribute('aria-label')),
    /^“login” in English and light fails at axe: button-name/m,
  ],
  'a weak colour': [
    breaks(() => document.querySelector<HTMLElement>('main h1')!.style.setProperty('color', '#bbb')),
    /^“login” in English and light fails at axe: color-contrast/m,
  ],
  'a colour that is weak where the system asks for more contrast': [
    breaks(() => {
      const style = new CSSStyleSheet();
      style.replaceSync('@media (prefers-contrast: more) { main h1 { color: #bbb } }');
      document.adoptedStyleSheets.push(style);
    }),
    /^“login” in English and light fails at axe with more contrast: color-contrast/m,
  ],
  'two buttons that stand out': [
    breaks(() => document.querySelector('main form button')!.setAttribute('data-variant', 'filled')),
    /^“login” in Spanish and dark fails at primary buttons: /m,
  ],
  'a field out of turn': [
    breaks(() => document.querySelector('main input')!.setAttribute('tabindex', '2')),
    /^“login” in Spanish and dark fails at focus order: is reached out of turn: <input/m,
  ],
  'something chosen without an edge': [
    breaks(() => {
      const heading = document.querySelector<HTMLElement>('main h1')!;
      heading.setAttribute('aria-pressed', 'true');
      heading.style.setProperty('outline', 'none', 'important');
    }),
    /^“login” in Spanish and dark fails at forced colours: has no edge: <h1/m,
  ],
  'a technical word': [
    breaks(() => document.querySelector('main form')!.append('A token')),
    /^“login” in Spanish and dark fails at simple face: .*token/m,
  ],
  'a changed tree': [
    breaks(() => document.querySelector('main h1')!.replaceChildren('Something else')),
    /^“login” in English and light fails at accessibility tree: line 3 of .*login\.txt is now .*Something else/m,
  ],
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
  'a text that is cut': [
    breaks(() =>
      document
        .querySelector<HTMLElement>('main p')!
        .style.setProperty('cssText', 'width: 40px; overflow: hidden; white-space: nowrap'),
    ),
    /^“login” in Spanish at 480 fails at fitting texts: is cut: /m,
  ],
};

it.each(Object.entries(faults))('the walk finds %s, and says where', async (_fault, [scene, says]) => {
  expect((await visit('session', scene)).join('\n')).toMatch(says);
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
