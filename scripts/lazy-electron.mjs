/**
 * Takes of Electron only what is named. An `import` from Electron loads every module that it has, since Node reads them
 * all at once, and until Electron 42.4 the one of safeStorage asked the keyring then (electron/electron#50419). A
 * `require` loads what is read of it.
 * @returns {import('vite').Plugin}
 */
export function lazyElectron() {
  return {
    name: 'lazy-electron',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'main',
    renderChunk(code) {
      const imports = this.parse(code).body.flatMap((node) =>
        node.type === 'ImportDeclaration' && node.source.value === 'electron' ? [node] : [],
      );
      if (imports.length === 0) return null;
      const loaded = "process.getBuiltinModule('module').createRequire(import.meta.url)('electron')";
      let changed = code;
      for (const { start, end, specifiers } of imports.toReversed()) {
        const whole = specifiers.find((specifier) => specifier.type !== 'ImportSpecifier');
        const named = specifiers.flatMap((specifier) => {
          if (specifier.type !== 'ImportSpecifier') return [];
          const { imported, local } = specifier;
          return [`${imported.type === 'Identifier' ? imported.name : JSON.stringify(imported.value)}: ${local.name}`];
        });
        const lines = [
          ...(whole ? [`const ${whole.local.name} = ${loaded};`] : []),
          ...(named.length > 0 ? [`const { ${named.join(', ')} } = ${loaded};`] : []),
        ];
        changed = changed.slice(0, start) + lines.join('\n') + changed.slice(end);
      }
      return { code: changed, map: null };
    },
  };
}
