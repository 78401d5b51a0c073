let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** Whether it is among the 49,000 passwords that leaked lists contain most often. Ignores case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await (commonPasswords ??= loadCommonPasswords())).has(password.toLowerCase());
}

/** On first use: unpacking the list takes time and memory, and most processes never need it. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
