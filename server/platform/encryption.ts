import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** For values that are stored and read again. `place` (a purpose, an owner's id) binds a value to where it is stored. */
export type Encryption = {
  encrypt(text: string, ...place: string[]): string;
  /** @throws Error for a value of another place or key */
  decrypt(encrypted: string, ...place: string[]): string;
};

/** Derives the key from a secret that also has other uses, so that none of them reveals another. */
export function createEncryption(secret: string): Encryption {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mems-are-forever encryption', 32));
  return {
    encrypt(text, ...place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(toBytes(place));
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
    },
    decrypt(encrypted, ...place) {
      const bytes = Buffer.from(encrypted, 'base64url');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(toBytes(place)).setAuthTag(tag);
      const content = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
    },
  };
}

function toBytes(place: string[]): Buffer {
  return Buffer.from(JSON.stringify(place));
}
