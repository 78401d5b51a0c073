import * as z from 'zod/mini';
import { lowerCaseEmailAddress } from '../text/email-address.ts';

export const MAX_ALLOWED_SENDERS = 50;

/** GET and PUT /api/user/allowed-senders: who may email photos besides the user. Unique, in lower case. */
export const AllowedSenders = z.object({
  addresses: z.pipe(
    z
      .array(lowerCaseEmailAddress('Please enter valid email addresses'), {
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

/** An email with photos from an unknown sender. Its photos are added only if the user accepts it. */
export const HeldMessage = z.object({
  id: z.uuid(),
  /** From the From header; null if that is missing or ambiguous. */
  sender: z.nullable(z.string()),
  isSenderAuthenticated: z.boolean(),
  subject: z.string(),
  /** The pet that the subject names, else an only pet. */
  petId: z.nullable(z.uuid()),
  photoCount: z.int(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type HeldMessage = z.infer<typeof HeldMessage>;

export const HeldMessageList = z.array(HeldMessage);

export const MAX_HELD_PREVIEWS = 4;

/** GET /api/held-messages/:id/previews: data URLs of small squares; null for a photo that cannot be decoded. */
export const HeldMessagePreviews = z.array(
  z.nullable(z.string().check(z.startsWith('data:image/webp;base64,'))),
);
export type HeldMessagePreviews = z.infer<typeof HeldMessagePreviews>;

export const MAX_FORWARDING_REQUESTS = 3;

/** GET /api/user/forwarding-requests: Gmail's email with the code that lets it forward to the user's address for photos. */
export const ForwardingRequest = z.object({
  id: z.uuid(),
  subject: z.string(),
  code: z.nullable(z.string()),
  /** Plain text. Its links are not meant to be clickable: anyone can ask Gmail to send one. */
  text: z.string(),
  createdAt: z.iso.datetime(),
});
export type ForwardingRequest = z.infer<typeof ForwardingRequest>;

/** Of the last day, newest first. */
export const ForwardingRequestList = z.array(ForwardingRequest).check(z.maxLength(MAX_FORWARDING_REQUESTS));

export const AcceptHeldMessageRequest = z.object({
  /** Also adds the sender to the allowed senders. */
  allowSender: z.optional(z.boolean({ error: 'Please send true or false' })),
  /** Null: none. Without it, the pet that the subject names, else an only pet. */
  petId: z.optional(z.nullable(z.string({ error: 'The pet must be given by its id' }))),
  /** Whether active contacts are emailed about the photos. By default they are if the sender is authenticated. */
  emailContacts: z.optional(z.boolean({ error: 'Please send true or false' })),
});
export type AcceptHeldMessageRequest = z.infer<typeof AcceptHeldMessageRequest>;
