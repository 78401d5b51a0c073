import { newNumber, postSmsFormTo, repliesTo, toSmsForm, verifyNumber } from '../../data/inbound-sms.ts';
import { copyOfPhoto, makePhoto } from '../../photos/photos.ts';
import { compare } from '../invariants.ts';
import { countMemories, untilAdded, type Operation, type World } from './operation.ts';

const PHOTOS = 2;

/** A text with photos, which Twilio posts until it is acknowledged. */
export async function createTexts({ installation, owner, vendors: { twilio } }: World): Promise<Operation> {
  const phone = newNumber();
  await verifyNumber(twilio, owner, phone);
  const photo = await makePhoto();
  const acknowledged: string[] = [];
  const already = repliesTo(twilio, phone).length;
  return {
    name: 'text',
    async run(n) {
      const caption = `text-${n}`;
      const media = Array.from({ length: PHOTOS }, () =>
        twilio.media.attach(copyOfPhoto(photo), 'image/jpeg'),
      );
      const form = toSmsForm({ from: phone, body: caption, media });
      const { status, text } = await installation.untilResponse((origin) => postSmsFormTo(origin, form));
      if (status !== 200) throw new Error(`${caption}: ${status} ${text}`);
      acknowledged.push(caption);
      await untilAdded(owner, caption);
    },
    async check() {
      const counts = acknowledged.map(async (caption) =>
        compare(caption, await countMemories(installation, caption), PHOTOS),
      );
      const replies = repliesTo(twilio, phone).length - already;
      // Twilio has no idempotency key, so an interrupted reply may be sent again.
      const max = acknowledged.length + installation.uncertainSends;
      const replied = compare('replies', replies, acknowledged.length, max);
      return [...(await Promise.all(counts)).flat(), ...replied];
    },
  };
}
