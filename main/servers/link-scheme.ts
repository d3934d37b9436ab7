/** The scheme of the links to a server. */
export const linkScheme = 'llavero';
