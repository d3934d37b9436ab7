/** The value of a server's option. An id may be any text, so it has a prefix. */
export const serverOption = (id: string): string => `server:${id}`;
