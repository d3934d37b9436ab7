/** For fields whose text is no prose: nothing corrects it, completes it or writes it in capitals. */
export const plainText = {
  autoCapitalize: 'none',
  autoCorrect: 'off',
  autoComplete: 'off',
  spellCheck: false,
} as const;
