import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyedHash } from '../../platform/security/keyed-hash.ts';

/** Signs test email of this installation, which trusts it in place of a key in DNS. */
export type LocalDkimKey = {
  selector: string;
  /** Ed25519, 32 bytes. */
  privateKey: Buffer;
  record: string;
};

/** The DER prefix of a 32-byte private key (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export function createLocalDkimKey(keyedHash: KeyedHash): LocalDkimKey {
  const privateKey = Buffer.from(keyedHash('local mail key'), 'base64url');
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, privateKey]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32);
  return {
    selector: 'mems-local',
    privateKey,
    record: `v=DKIM1; k=ed25519; p=${publicKey.toString('base64')}`,
  };
}

/** The secret that a provider sends with pushed email; derived from the session secret unless configured. */
export function inboundEmailSecret(configured: string | null, keyedHash: KeyedHash): string {
  return configured ?? keyedHash('inbound mail secret');
}
