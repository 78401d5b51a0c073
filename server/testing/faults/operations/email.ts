import { createKeyedHash } from '../../../platform/security/keyed-hash.ts';
import { createLocalDkimKey, inboundEmailSecret } from '../../../features/inbound-email/local-dkim-key.ts';
import { writeSignedEmail } from '../../../features/inbound-email/write-test-email.ts';
import { inboundEmailOf, newPhoto } from '../../data/inbound-email.ts';
import { compare } from '../invariants.ts';
import { SESSION_SECRET } from '../installation.ts';
import { countMemories, OWNER_EMAIL, untilAdded, type Operation, type World } from './operation.ts';

/** An email with a photo, which a mail server pushes until it is acknowledged. */
export async function createEmails({ installation, owner }: World): Promise<Operation> {
  const keyedHash = createKeyedHash(SESSION_SECRET);
  const to = await inboundEmailOf(owner);
  const client = installation.client();
  const acknowledged: string[] = [];
  return {
    name: 'email',
    async run(n) {
      const subject = `email-${n}`;
      const email = { from: OWNER_EMAIL, to, subject, text: '', photos: [await newPhoto()] };
      const body = await writeSignedEmail(email, createLocalDkimKey(keyedHash));
      const { status, text } = await client.request('POST', '/api/email/incoming', {
        body,
        headers: {
          Authorization: `Bearer ${inboundEmailSecret(null, keyedHash)}`,
          'X-Original-To': to,
          'X-Envelope-From': OWNER_EMAIL,
          'Content-Type': 'message/rfc822',
        },
      });
      if (status !== 202) throw new Error(`${subject}: ${status} ${text}`);
      acknowledged.push(subject);
      await untilAdded(owner, subject);
    },
    async check() {
      const outbox = await installation.sentEmails();
      const checks = acknowledged.map(async (subject) => {
        const replies = outbox.filter((each) => each.subject === `Re: ${subject}`).length;
        return [
          ...compare(subject, await countMemories(installation, subject), 1),
          ...compare(`the answer to ${subject}`, replies, 1),
        ];
      });
      return (await Promise.all(checks)).flat();
    },
  };
}
