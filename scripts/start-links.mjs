/**
 * Preloads the font and the texts of every language in the built page, since its script would request them later.
 * `main/window/app-protocol.ts` removes the links of other languages.
 * @returns {import('vite').Plugin}
 */
export function startLinks() {
  return {
    name: 'start-links',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transformIndexHtml: {
      order: 'post',
      handler: (_page, { bundle = {} }) =>
        Object.values(bundle).flatMap((file) => {
          const link = linkTo(file);
          return link ? [{ tag: 'link', attrs: { ...link, crossorigin: true, href: `/${file.fileName}` } }] : [];
        }),
    },
  };
}

/** @param {import('vite').Rollup.OutputBundle[string]} file */
function linkTo(file) {
  if (file.type === 'asset') {
    const isFont = file.originalFileNames.some((name) => name.endsWith('/inter-latin-wght-normal.woff2'));
    return isFont ? { rel: 'preload', as: 'font', type: 'font/woff2' } : undefined;
  }
  const language = /\/locales\/window\/([\w-]+)\.json$/.exec(file.facadeModuleId ?? '')?.[1];
  return language === undefined ? undefined : { rel: 'modulepreload', 'data-language': language };
}
