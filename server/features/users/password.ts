import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice: argon2id with 19 MiB, two passes, one lane. Argon2id is the library's default algorithm. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

let nobodysHash: Promise<string> | undefined;

/** Whether the password is right. Takes as long when there is no hash: time tells nobody which addresses exist. */
export async function isPasswordRight(passwordHash: string | null, password: string): Promise<boolean> {
  nobodysHash ??= hashPassword('a password that nobody has');
  const isRight = await verify(passwordHash ?? (await nobodysHash), password);
  return passwordHash !== null && isRight;
}
