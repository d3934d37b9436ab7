/** Methods and header names (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

export const isHeaderName = (name: string): boolean => token.test(name);

/** True for a method that no program takes for an option. */
export const isMethod = (method: string): boolean => /^[A-Za-z]/.test(method) && token.test(method);

/** True for an http or https URL without user info, and without characters that programs read differently. */
export const isHttpAddress = (url: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- These must not be in it.
  /^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\u0000-\u001f\u007f]*)?$/i.test(url) && URL.canParse(url);
