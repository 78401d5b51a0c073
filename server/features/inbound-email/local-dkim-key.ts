import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyedHash } from '../../platform/keyed-hash.ts';

/** What signs test mail on this machine, and by what the app on this machine knows it. */
export type LocalMailKey = {
  selector: string;
  /** Ed25519, its 32 bytes. */
  privateKey: Buffer;
  /** The public key, as it would stand in the domain name system. */
  record: string;
};

/** How a private key begins that is 32 bytes long (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Made from the session secret: whoever has the data folder has the key. */
export function createLocalMailKey(keyedHash: KeyedHash): LocalMailKey {
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

/** What whoever pushes mail to this installation proves itself by, unless another secret is configured. */
export function inboundSecretOf(configured: string | null, keyedHash: KeyedHash): string {
  return configured ?? keyedHash('inbound mail secret');
}
