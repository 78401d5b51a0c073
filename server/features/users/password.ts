import { hash, verify } from '@node-rs/argon2';

/** https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Hashed with `COST`, so that verifying against it takes as long as against a user's hash. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$3uJ+o2aFTsc3cmRefFb2Rw$LrJVgWf1KK+gGZIR6UXzROPcY5+Op5PqdsbwkWR3dcE';

/** Takes as long without a hash: otherwise the response time would reveal which addresses have an account. */
export async function isPasswordRight(passwordHash: string | null, password: string): Promise<boolean> {
  const isRight = await verify(passwordHash ?? DUMMY_HASH, password);
  return passwordHash !== null && isRight;
}
