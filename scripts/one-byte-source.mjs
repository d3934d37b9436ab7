/**
 * Spells what is beyond Latin-1 in the source of main with escapes. V8 keeps the text of every script for good, and one
 * such character doubles the memory of a whole file. A tagged template keeps its text, since it could read the spelling.
 * @returns {import('vite').Plugin}
 */
export function oneByteSource() {
  return {
    name: 'one-byte-source',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'main',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !wide.test(chunk.code)) continue;
        const tagged = taggedTemplates(this.parse(chunk.code));
        chunk.code = chunk.code.replaceAll(wideWithBackslashes, (found, backslashes, character, at) =>
          tagged.some(({ start, end }) => start <= at && at < end) ? found : escaped(backslashes, character),
        );
      }
    },
  };
}

const wide = /[\u0100-\uffff]/;
const wideWithBackslashes = /(\\*)([\u0100-\uffff])/g;

/**
 * Returns the escape of a UTF-16 unit. A backslash that stood before it is dropped: it meant nothing.
 * @param {string} backslashes
 * @param {string} character
 */
function escaped(backslashes, character) {
  const pairs = backslashes.slice(0, backslashes.length - (backslashes.length % 2));
  return `${pairs}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Returns where the templates with a tag are.
 * @param {unknown} tree
 * @returns {{ start: number, end: number }[]}
 */
function taggedTemplates(tree) {
  if (typeof tree !== 'object' || tree === null) return [];
  const below = Object.values(tree).flatMap(taggedTemplates);
  return isTagged(tree) ? [tree.quasi, ...below] : below;
}

/**
 * @param {object} node
 * @returns {node is { quasi: { start: number, end: number } }}
 */
function isTagged(node) {
  return 'type' in node && node.type === 'TaggedTemplateExpression';
}
