import { describe, expect, it } from 'vitest';
import { createEncryption } from './encryption.ts';

const encryption = createEncryption('a secret of at least 32 characters');

describe('an encrypted value', () => {
  it('is read in its context only', () => {
    const encrypted = encryption.encrypt('ÄKEY', 'totp', 'ada');
    expect(encrypted).not.toContain('KEY');
    expect(encryption.decrypt(encrypted, 'totp', 'ada')).toBe('ÄKEY');
    expect(() => encryption.decrypt(encrypted, 'totp', 'bea')).toThrow('authenticate');
    expect(() => encryption.decrypt(encrypted, 'totp')).toThrow('authenticate');
  });

  it('differs each time', () => {
    expect(encryption.encrypt('KEY', 'totp')).not.toBe(encryption.encrypt('KEY', 'totp'));
  });

  it('is not read with another secret', () => {
    const encrypted = encryption.encrypt('KEY', 'totp');
    const other = createEncryption('another secret of 32 characters…');
    expect(() => other.decrypt(encrypted, 'totp')).toThrow('authenticate');
  });

  it('is not read once a byte was changed or is missing', () => {
    const bytes = Buffer.from(encryption.encrypt('KEY', 'totp'), 'base64url');
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(() => encryption.decrypt(changed.toString('base64url'), 'totp')).toThrow();
      expect(() => encryption.decrypt(bytes.subarray(0, index).toString('base64url'), 'totp')).toThrow();
    }
  });
});
