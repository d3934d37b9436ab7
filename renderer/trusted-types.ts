declare global {
  interface Window {
    // TypeScript's DOM library does not declare it yet.
    readonly trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createHTML(html: string): string | null; createScriptURL(url: string): string | null },
      ): unknown;
    };
  }
}

/**
 * Creates the only Trusted Types policy of the page. Mantine sets the content of `<style>` elements as HTML strings, so
 * strings that cannot open a tag pass. The only allowed script is the worker that rates passwords. Everything else is
 * refused.
 */
window.trustedTypes?.createPolicy('default', {
  createHTML: (html) => (html.includes('<') ? null : html),
  createScriptURL: (url) =>
    new URL(url).origin === location.origin && /\/strength-worker[^/]*$/.test(new URL(url).pathname) ? url : null,
});
