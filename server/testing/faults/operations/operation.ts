import { setTimeout as pause } from 'node:timers/promises';
import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import type { TestClient } from '../../clients/test-client.ts';
import { openaiSettings } from '../../data/caricatures.ts';
import { addContact, addPet } from '../../data/factories.ts';
import { PRODUCT_NUMBER } from '../../data/inbound-sms.ts';
import type { TestOpenaiServer } from '../../fakes/openai-server.ts';
import { TWILIO_ACCOUNT, type TestTwilioServer } from '../../fakes/twilio-server.ts';
import type { Installation } from '../installation.ts';
import type { Violation } from '../invariants.ts';

/** Work that a fault interrupts. */
export type Operation = {
  name: string;
  /** Does one piece of work as its client does, and waits for its result. */
  run(n: number): Promise<void>;
  /** What became of all that was acknowledged. Called when the installation is at rest. */
  check(): Promise<Violation[]>;
};

export type OperationFactory = (world: World) => Promise<Operation>;

export type World = {
  installation: Installation;
  /** Signed in, with a pet and contacts. */
  owner: TestClient;
  pet: Pet;
  vendors: Vendors;
};
export type Vendors = { twilio: TestTwilioServer; openai: TestOpenaiServer };

const POLL_INTERVAL_MS = 300;
const PATIENCE_MS = 300_000;
export const OWNER_EMAIL = 'mara@mems.example';
const CONTACTS = ['ingrid@family.example', 'jo@family.example'];

export function vendorSettings({ twilio, openai }: Vendors): Record<string, string> {
  return {
    ...openaiSettings(openai),
    TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.sid,
    TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
    TWILIO_PHONE_NUMBER: PRODUCT_NUMBER,
    TWILIO_API_URL: twilio.url,
    TWILIO_MEDIA_URLS: twilio.media.cdnUrl,
  };
}

/** Signs up on a started installation, and prepares what the operations need. */
export async function createWorld(installation: Installation, vendors: Vendors): Promise<World> {
  const owner = installation.client();
  const account = { email: OWNER_EMAIL, username: 'mara', password: 'correct horse' };
  const { status, text } = await owner.post('/api/register', account);
  if (status !== 201) throw new Error(`Could not sign up: ${status} ${text}`);
  // With SMTP nothing is sent to contacts, or spent, before that.
  await installation.pool.query('update users set email_verified_at = now(), verify_email_by = null');
  for (const email of CONTACTS) await addContact(owner, { name: email, email });
  return { installation, owner, pet: await addPet(owner), vendors };
}

/** Waits until a photo with this caption is in the album. */
export async function untilAdded(owner: TestClient, caption: string): Promise<void> {
  const isAdded = async () =>
    ((await owner.get('/api/memories')).body as Memory[]).some((memory) => memory.caption === caption);
  for (const end = Date.now() + PATIENCE_MS; !(await isAdded()); await pause(POLL_INTERVAL_MS))
    if (Date.now() > end) throw new Error(`${caption} was not added in five minutes`);
}

export async function countMemories({ pool }: Installation, caption: string): Promise<number> {
  const text = 'select count(*)::int as count from memories where caption = $1';
  return (await pool.query<{ count: number }>(text, [caption])).rows[0]?.count ?? 0;
}
