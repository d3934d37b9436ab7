import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../renderer');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

type Scheme = 'light' | 'dark';
type Rgb = readonly [red: number, green: number, blue: number];
type Roles = ReadonlyMap<string, string>;

/** Reads `--name: value;` of the first block of a style sheet that a selector or a condition begins. */
function declared(css: string, beginning: string): Roles {
  const block = css.slice(css.indexOf(beginning)).match(/\{([^{}]*--[^{}]*)\}/)?.[1] ?? '';
  return new Map([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!.trim()]));
}

const tokens = read('tokens.css');
const plain = declared(tokens, ':root {');
const contrast = declared(tokens, '@media (prefers-contrast: more)');
const modes: Record<string, Roles> = { 'as usual': plain, 'with more contrast': new Map([...plain, ...contrast]) };

/** The colour of a role, with how opaque it is, from 0 to 1. */
function colourOf(role: string, scheme: Scheme, roles: Roles): { rgb: Rgb; opacity: number } {
  const value = role.startsWith('#') ? role : (roles.get(role) ?? `no role --${role}`);
  const pair = /^light-dark\((.+), (.+)\)$/.exec(value);
  const one = pair ? pair[scheme === 'light' ? 1 : 2]! : value;
  const other = /^var\(--([\w-]+)\)$/.exec(one)?.[1];
  if (other !== undefined) return colourOf(other, scheme, roles);
  const digits = /^#([\da-f]{6})([\da-f]{2})?$/.exec(one) ?? /^()(#fff)$/.exec(one);
  if (!digits) throw new Error(`Not a colour: ${one}`);
  if (digits[2] === '#fff') return { rgb: [255, 255, 255], opacity: 1 };
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(digits[1]!.slice(at, at + 2), 16));
  return { rgb: [red!, green!, blue!], opacity: digits[2] === undefined ? 1 : Number.parseInt(digits[2], 16) / 255 };
}

function mix(over: Rgb, under: Rgb, share: number): Rgb {
  const mixed = (at: 0 | 1 | 2) => over[at] * share + under[at] * (1 - share);
  return [mixed(0), mixed(1), mixed(2)];
}

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((each) => {
    const part = each / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function ratio(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** A surface: a role, a role under the pointer (`hover:`), or a role with a share of a colour of servers in it. */
type Surface = string | { of: string; mixed: string; share: number };

function surfaceOf(surface: Surface, scheme: Scheme, roles: Roles): Rgb {
  if (typeof surface !== 'string') {
    return mix(colourOf(surface.mixed, scheme, roles).rgb, colourOf(surface.of, scheme, roles).rgb, surface.share);
  }
  const [role, isUnderPointer] = [surface.replace('hover:', ''), surface.startsWith('hover:')];
  const { rgb } = colourOf(role, scheme, roles);
  if (!isUnderPointer) return rgb;
  const over = colourOf('hover', scheme, roles);
  return mix(over.rgb, rgb, over.opacity);
}

/** The ratio of a role on the surface that suits it least. */
const worst = (role: string, surfaces: readonly Surface[], scheme: Scheme, roles: Roles = plain): number =>
  Math.min(...surfaces.map((each) => ratio(colourOf(role, scheme, roles).rgb, surfaceOf(each, scheme, roles))));

const grounds = ['canvas', 'chrome', 'surface', 'sunken'];
const softs = ['accent-soft', 'good-soft', 'warn-soft', 'bad-soft'];
const everywhere = [...grounds, 'surface-hover', ...softs];
/** What lies under code: its own box, a card, and the marked lines of a comparison. */
const underCode = ['surface', 'sunken', 'canvas', 'good-soft', 'bad-soft'];

const serverColours = [...read('styles.css').matchAll(/data-colour='(\w+)'\] \{\s*--server: (#[\da-f]{6});/g)].map(
  ([, name, colour]) => [name!, colour!] as const,
);

const text = 4.5;
const mark = 3;

/** Each role, where it is used, what it needs there, and its ratios of the table in the design (light, dark). */
const uses: [role: string, surfaces: readonly Surface[], needed: number, light: number, dark: number][] = [
  ['text', everywhere, text, 14.7, 11.3],
  ['text-2', everywhere, text, 7.2, 7.4],
  ['text-3', everywhere, text, 5, 5.2],
  ['accent-text', everywhere, text, 7.4, 6.9],
  // A chip of a fact lies on the colour of lines.
  ['text-2', ['line'], text, 6.5, 7],
  ['edge', grounds, mark, 3.2, 3.9],
  ['#fff', ['accent-fill'], text, 7.8, 5.4],
  ['#fff', ['bad-fill'], text, 6.3, 5.1],
  ['good', ['good-soft'], text, 6.1, 7.8],
  ['warn', ['warn-soft'], text, 6.9, 8.1],
  ['bad', ['bad-soft'], text, 5.9, 7.1],
  ['code-string', underCode, text, 5.5, 8],
  ['code-number', underCode, text, 6.3, 7.7],
];

describe('the colours of the roles', () => {
  it.each(uses)('--%s on %j is at least %d : 1, and what the design says', (role, surfaces, needed, light, dark) => {
    expect(worst(role, surfaces, 'light')).toBeGreaterThanOrEqual(needed);
    expect(worst(role, surfaces, 'dark')).toBeGreaterThanOrEqual(needed);
    const said = (['light', 'dark'] as const).map((scheme) => Number(worst(role, surfaces, scheme).toFixed(1)));
    expect(said).toEqual([light, dark]);
  });

  const withMore = (['light', 'dark'] as const).flatMap((scheme) =>
    Object.entries(modes).map(([mode, roles]) => [scheme, mode, roles] as const),
  );

  it.each(withMore)('stand out also under the pointer and as states on any ground: %s, %s', (scheme, _mode, roles) => {
    const underPointer = grounds.map((each) => `hover:${each}`);
    // A button within a chosen row, or within a message, has its own shade over the colour of that.
    const within = softs.map((each) => `hover:${each}`);
    const short = [
      ...['text', 'text-2', 'text-3', 'accent-text'].map((role) => [role, underPointer, text] as const),
      ...['good', 'warn', 'bad'].map((role) => [role, [...grounds, 'surface-hover'], text] as const),
      ...['code-string', 'code-number'].map((role) => [role, underCode, text] as const),
      ...['text', 'text-2', 'accent-text'].map((role) => [role, within, text] as const),
      ['edge', ['hover:surface', 'surface-hover', 'bad-soft'], mark] as const,
      ['#fff', ['accent-fill', 'accent-fill-hover', 'bad-fill', 'bad-fill-hover'], text] as const,
    ].flatMap(([role, surfaces, needed]) => {
      const found = worst(role, surfaces, scheme, roles);
      return found < needed ? [`--${role}: ${found.toFixed(2)} of ${needed}`] : [];
    });
    expect(short).toEqual([]);
  });

  it('have all text at 7 : 1 and edges at 4.5 : 1 where more contrast is asked for', () => {
    const roles = modes['with more contrast']!;
    for (const scheme of ['light', 'dark'] as const) {
      for (const role of ['text', 'text-2', 'text-3']) {
        expect(worst(role, everywhere, scheme, roles)).toBeGreaterThanOrEqual(7);
      }
      expect(worst('edge', grounds, scheme, roles)).toBeGreaterThanOrEqual(4.5);
      expect(worst('line', grounds, scheme, roles)).toBeGreaterThanOrEqual(mark);
    }
  });
});

describe('the colours of servers', () => {
  it('are nine', () => {
    expect(serverColours).toHaveLength(9);
  });

  it.each(serverColours)('%s stands out from every surface, and text from its chip', (_name, colour) => {
    for (const scheme of ['light', 'dark'] as const) {
      expect(worst(colour, grounds, scheme)).toBeGreaterThanOrEqual(mark);
      const chips = [0.09, 0.16].map((share) => ({ of: 'surface', mixed: colour, share }));
      for (const role of ['text', 'text-2', 'text-3']) {
        expect(worst(role, chips, scheme)).toBeGreaterThanOrEqual(text);
      }
    }
  });
});

/** Style sheets that may have colours of their own: each of them is looked at here or drawn over a colour of its own. */
const ownColours = new Set([
  'tokens.css',
  'styles.css',
  'components/avatar.module.css',
  'screens/calls/timing-bar.module.css',
]);

it('no other style sheet has a colour of its own, but white on a fill', () => {
  const wrong = globSync('**/*.css', { cwd: folder })
    .filter((name) => !ownColours.has(name))
    .flatMap((name) =>
      [
        ...read(name).matchAll(
          /#[\da-f]{3,8}\b(?!\w)|\b(?:rgb|hsl|oklch|lab)a?\(|:\s*(?:black|red|gr[ae]y|blue|green)\b/gi,
        ),
      ]
        .map(([found]) => found)
        .filter((found) => found !== '#fff')
        .map((found) => `${name}: ${found}`),
    );
  expect(wrong).toEqual([]);
});

const pairs = (css: string, property: string): string[] =>
  [...css.matchAll(new RegExp(`--${property}: (light-dark\\([^)]+\\)|#[\\da-f]{6});`, 'g'))].map(([, value]) => value!);

it('the colours of avatars stand out from what they are drawn on', () => {
  const own = pairs(read('components/avatar.module.css'), 'own');
  expect(own.length).toBeGreaterThan(4);
  for (const value of own) {
    const roles = new Map([...plain, ['own', value]]);
    for (const scheme of ['light', 'dark'] as const) {
      const { rgb } = colourOf('own', scheme, roles);
      const ground = mix(rgb, colourOf('surface', scheme, roles).rgb, 0.14);
      expect(ratio(rgb, ground)).toBeGreaterThanOrEqual(text);
    }
  }
});

it('the colours of the phases of a call stand out from a card', () => {
  const phases = pairs(read('screens/calls/timing-bar.module.css'), 'phase');
  expect(phases.length).toBeGreaterThan(4);
  for (const phase of phases) {
    for (const scheme of ['light', 'dark'] as const) {
      expect(worst(phase, ['surface', 'canvas'], scheme)).toBeGreaterThanOrEqual(mark);
    }
  }
});
