let list: Promise<ReadonlySet<string>> | undefined;

/** Reads 380 kB of text that only a registration needs, so the first one reads it. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Says whether a password, in any case, is on the list of common ones (NIST SP 800-63B section 3.1.1.2). */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= load();
  return (await list).has(password.toLowerCase());
}
