import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** For values that are stored and read again. `context` (a purpose, an owner's id) binds a value to where it is stored. */
export type Encryption = {
  encrypt(text: string, ...context: string[]): string;
  /** @throws Error for a value of another context or key */
  decrypt(encrypted: string, ...context: string[]): string;
};

/** Derives the key from a secret that also has other uses, so that none of them reveals another. */
export function createEncryption(secret: string): Encryption {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mems-are-forever encryption', 32));
  return {
    encrypt(text, ...context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(toBytes(context));
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
    },
    decrypt(encrypted, ...context) {
      const bytes = Buffer.from(encrypted, 'base64url');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(toBytes(context)).setAuthTag(tag);
      const content = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
    },
  };
}

function toBytes(context: string[]): Buffer {
  return Buffer.from(JSON.stringify(context));
}
