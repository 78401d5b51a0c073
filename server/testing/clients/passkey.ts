import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '#shared/accounts/passkey';
import type { TestClient, TestResponse } from './test-client.ts';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** What an authenticator and a browser may do wrong. */
type Changes = {
  origin?: string;
  rpId?: string;
  isVerified?: boolean;
  counter?: number;
  challenge?: string;
  userHandle?: string;
};

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId: string };

export type TestPasskey = {
  register(options: CreationOptions, changes?: Changes): PasskeyRegistration;
  sign(options: RequestOptions, changes?: Changes): PasskeyAssertion;
};

/** A passkey in software, with a counter. https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data */
export function createTestPasskey(origin: string): TestPasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;
  let owner = '';

  function clientData(type: string, challenge: string, changes: Changes): Buffer {
    const { origin: changedOrigin = origin, challenge: changedChallenge = challenge } = changes;
    return Buffer.from(JSON.stringify({ type, challenge: changedChallenge, origin: changedOrigin }));
  }

  function authenticatorData(rpId: string, flags: number, changes: Changes): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(changes.counter ?? counter);
    const verified = changes.isVerified === false ? 0 : USER_VERIFIED;
    const hash = createHash('sha256')
      .update(changes.rpId ?? rpId)
      .digest();
    return Buffer.concat([hash, Buffer.from([USER_PRESENT | verified | flags]), count]);
  }

  return {
    register({ challenge, rp, user }, changes = {}) {
      owner = user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const data = Buffer.concat([
        authenticatorData(rp.id, HAS_CREDENTIAL, changes),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        // CBOR: a COSE key of ES256.
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const attestation = Buffer.concat([
        // CBOR: { fmt: 'none', attStmt: {}, authData: <bytes> }
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, changes).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    sign({ challenge, rpId }, changes = {}) {
      counter++;
      const data = authenticatorData(rpId, 0, changes);
      const json = clientData('webauthn.get', challenge, changes);
      const signed = Buffer.concat([data, createHash('sha256').update(json).digest()]);
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: json.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: changes.userHandle ?? owner,
        },
      };
    },
  };
}

/** Registers a new passkey in a client's account. */
export async function addTestPasskey(
  client: TestClient,
  origin: string,
): Promise<TestPasskey & { id: string }> {
  const passkey = createTestPasskey(origin);
  const { body } = await client.post('/api/user/passkeys/options');
  const added = await client.post('/api/user/passkeys', passkey.register(body as CreationOptions));
  if (added.status !== 201) throw new Error(`The passkey was rejected: ${added.status} ${added.text}`);
  return { ...passkey, id: (added.body as { id: string }).id };
}

export async function signInByPasskey(
  client: TestClient,
  passkey: TestPasskey,
  changes?: Changes,
): Promise<TestResponse> {
  const { body } = await client.post('/api/login/passkey/options');
  return client.post('/api/login/passkey', passkey.sign(body as RequestOptions, changes));
}
