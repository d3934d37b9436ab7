/** Answers how many characters a text has, as people count them. */
export const codePointCount = (text: string): number => Array.from(text).length;
