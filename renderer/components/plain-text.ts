/** For fields whose text is no prose: no correction, completion or capitalization. */
export const plainText = {
  autoCapitalize: 'none',
  autoCorrect: 'off',
  autoComplete: 'off',
  spellCheck: false,
} as const;
