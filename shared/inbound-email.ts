import * as z from 'zod/mini';
import { strictEmailAddress } from './email-address.ts';

/** Of one account. */
export const MAX_ALLOWED_SENDERS = 50;

/** GET and PUT /api/user/allowed-senders: who may mail photos in besides the owner. Each once, in lower case. */
export const AllowedSenders = z.object({
  addresses: z.pipe(
    z
      .array(strictEmailAddress('Please enter valid email addresses'), {
        error: 'Please send a list of addresses',
      })
      .check(
        z.maxLength(MAX_ALLOWED_SENDERS, {
          error: `Please allow at most ${MAX_ALLOWED_SENDERS} addresses`,
        }),
      ),
    z.transform((addresses) => [...new Set(addresses)]),
  ),
});
export type AllowedSenders = z.output<typeof AllowedSenders>;

/** A mail with photos that waits for its owner's OK, as nobody known has sent it. */
export const HeldMessage = z.object({
  id: z.uuid(),
  /** The address that it says it is from; null when it does not say so plainly. */
  sender: z.nullable(z.string()),
  /** Whether that is shown to be true. Otherwise anybody may have written that address there. */
  isSenderProven: z.boolean(),
  subject: z.string(),
  photoCount: z.int(),
  createdAt: z.iso.datetime(),
  /** When it goes by itself. */
  expiresAt: z.iso.datetime(),
});
export type HeldMessage = z.infer<typeof HeldMessage>;

export const HeldMessageList = z.array(HeldMessage);

/** Of one message. */
export const MAX_HELD_PREVIEWS = 4;

/** GET /api/held-messages/:id/previews: its first photos, as data URLs of small squares; null for one that cannot be shown. */
export const HeldMessagePreviews = z.array(
  z.nullable(z.string().check(z.startsWith('data:image/webp;base64,'))),
);
export type HeldMessagePreviews = z.infer<typeof HeldMessagePreviews>;

/** POST /api/held-messages/:id/accept */
export const AcceptHeldMessageRequest = z.object({
  /** Mail from this sender is taken in from now on, whenever it is shown to be theirs. */
  allowSender: z.optional(z.boolean({ error: 'Please send true or false' })),
});
export type AcceptHeldMessageRequest = z.infer<typeof AcceptHeldMessageRequest>;
