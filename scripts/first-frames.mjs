import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const entry = path.resolve(import.meta.dirname, '../renderer/first-frame.tsx');
const outDir = path.resolve(import.meta.dirname, '../node_modules/.cache/first-frames');

/** What the modules of the page ask of a window while they are evaluated. There is none while they are rendered. */
const standIns = {
  window: { api: {}, events: new Proxy({}, { get: () => () => () => undefined }) },
  navigator: { userAgent: process.platform === 'darwin' ? 'Mac' : '', languages: [] },
};

/** What is loaded later is in no first frame, but for its texts. @type {import('vite').Plugin} */
const onlyWhatIsShown = {
  name: 'only-what-is-shown',
  resolveDynamicImport: (id) => (typeof id === 'string' && !id.endsWith('.json') ? { id, external: true } : null),
};

/**
 * Puts the first frame of the log-in form beside the page, for main to show before any script is read, and the styles
 * into the page, so that nothing holds that frame. A frame has no `style` attributes, which the page's policy refuses:
 * each is a rule of its own.
 * @param {import('vite').PluginOption[]} plugins
 * @returns {import('vite').Plugin}
 */
export function firstFrames(plugins) {
  return {
    name: 'first-frames',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('There is no page');
        const { styled, font } = withStyles(String(page.source), bundle);
        page.source = styled.replace('<script type="module"', `${fontTag}\n    <script async type="module"`);
        this.emitFile({ type: 'asset', fileName: fontFile, source: font });
        this.emitFile({ type: 'asset', fileName: 'first-frames.json', source: JSON.stringify(await frames(plugins)) });
      },
    },
  };
}

/** The rule of the font of Latin letters in a style sheet: its weights, its file and its letters. */
const fontRule =
  /@font-face\{font-family:Inter;font-weight:([^;]+);src:url\(\/([^)]*\/inter-latin-wght-[^)]*)\)[^;]*;unicode-range:([^}]+)\}/;

/** Main gives this script to the page at once (`main/windows/app-protocol.ts`). */
const fontFile = 'assets/font.js';
const fontTag = `<script src="/${fontFile}"></script>`;

/**
 * Puts the style sheets of a page into it. Their links stay, since those tell Vite's loader which styles are there.
 * @param {string} page @param {import('vite').Rolldown.OutputBundle} bundle
 * @returns {{ styled: string, font: string }} the page, and the script that brings its font
 */
function withStyles(page, bundle) {
  let font = '';
  const styled = page.replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)"[^>]*>/g, (link, name) => {
    const sheet = bundle[name];
    if (sheet?.type !== 'asset') throw new Error(`There is no ${name}`);
    const styles = String(sheet.source).replace(fontRule, (_rule, weight, file, unicodeRange) => {
      font = fontScript(bundle, file, { weight, unicodeRange });
      return '';
    });
    return `<style nonce="__CSP_NONCE__">${styles}</style>\n    ${link.replace('<link', '<link disabled')}`;
  });
  if (font === '') throw new Error('There is no font');
  return { styled, font };
}

/**
 * Makes a script that brings a font along. Chromium takes a font of bytes at once; one with an address, also of `data:`,
 * may come after the first frame, whose lines then move.
 * @param {import('vite').Rolldown.OutputBundle} bundle @param {string} file @param {{ weight: string, unicodeRange: string }} descriptors
 */
function fontScript(bundle, file, descriptors) {
  const font = bundle[file];
  if (font?.type !== 'asset') throw new Error(`There is no ${file}`);
  // Nothing else asks for it.
  delete bundle[file];
  const bytes = `Uint8Array.fromBase64('${Buffer.from(font.source).toString('base64')}')`;
  return `document.fonts.add(new FontFace('Inter', ${bytes}, ${JSON.stringify(descriptors)}));\n`;
}

/**
 * Renders the frames on Node.
 * @param {import('vite').PluginOption[]} plugins
 * @returns {Promise<Record<string, Record<string, string>>>}
 */
async function frames(plugins) {
  // Tests build with another value, with which React writes advice to the terminal.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  await build({
    configFile: false,
    root: path.dirname(entry),
    logLevel: 'warn',
    plugins: [plugins, onlyWhatIsShown],
    build: { ssr: entry, outDir, emptyOutDir: true, rolldownOptions: { output: { entryFileNames: 'frames.mjs' } } },
  });
  const before = Object.getOwnPropertyDescriptors(globalThis);
  for (const [name, value] of Object.entries(standIns))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  const made = pathToFileURL(path.join(outDir, 'frames.mjs'));
  const { firstFrames: render } = await import(`${made.href}?${Date.now()}`);
  for (const name of Object.keys(standIns)) {
    Reflect.deleteProperty(globalThis, name);
    const descriptor = Object.entries(before).find(([each]) => each === name)?.[1];
    // Node has a navigator of its own from version 21 on.
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
  }
  if (NODE_ENV !== undefined) process.env.NODE_ENV = NODE_ENV;
  return render(withoutStyleAttributes);
}

/**
 * Makes rules of the style attributes of a frame. They are as strong as the attributes were.
 * @param {string} markup
 */
function withoutStyleAttributes(markup) {
  /** @type {string[]} */
  const styles = [];
  const plain = markup.replace(/ style="([^"]*)"/g, (_all, style) => {
    if (!styles.includes(style)) styles.push(style);
    return ` data-styled="${styles.indexOf(style)}"`;
  });
  const rules = styles.map((style, at) => `#first-frame [data-styled="${at}"] { ${style} }`);
  return `<style nonce="__CSP_NONCE__">${rules.join('\n')}</style>${plain}`;
}
