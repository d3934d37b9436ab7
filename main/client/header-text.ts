/** Says whether a header can carry a text: Node writes signs of Latin-1, and no control characters (RFC 9110, 5.5). */
export const canBeSent = (value: string): boolean => !/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value);
