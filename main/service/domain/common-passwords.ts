let list: Promise<ReadonlySet<string>> | undefined;

/** 380 kB, read by the first registration. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Case-insensitive (NIST SP 800-63B section 3.1.1.2). */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= load();
  return (await list).has(password.toLowerCase());
}
