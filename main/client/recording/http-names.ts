/** Methods and the names of headers are written as such a token (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

export const isHeaderName = (name: string): boolean => token.test(name);

/** Says whether no program takes this method for one of its options. */
export const isMethod = (method: string): boolean => /^[A-Za-z]/.test(method) && token.test(method);

/**
 * Says whether this is an address of http or https whose host is what it looks like: without a name and password before
 * it, and without a character that some programs read as another.
 */
export const isHttpAddress = (url: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- They are what must not be in it.
  /^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\u0000-\u001f\u007f]*)?$/i.test(url) && URL.canParse(url);
