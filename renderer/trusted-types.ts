declare global {
  interface Window {
    // TypeScript's DOM library does not declare it yet.
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createHTML(html: string): string | null }): unknown;
    };
  }
}

/**
 * Makes the page's one Trusted Types policy. Mantine sets the content of `<style>` elements as HTML strings, so strings
 * that cannot open a tag pass. Everything else, and every script, is refused.
 */
window.trustedTypes?.createPolicy('default', {
  createHTML: (html) => (html.includes('<') ? null : html),
});
