/** The number of characters as users count them. */
export const codePointCount = (text: string): number => Array.from(text).length;
