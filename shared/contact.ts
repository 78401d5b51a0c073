import * as z from 'zod/mini';
import { emailAddress } from './email-address.ts';

export const ContactRelationship = z.enum(['family', 'friend', 'partner', 'colleague', 'other'], {
  error: 'Please choose a relationship from the list',
});
export type ContactRelationship = z.infer<typeof ContactRelationship>;

/**
 * Whether emails can reach someone. `unsubscribed`: they said that they want none, which only they can take back;
 * `undeliverable`: their mail server refused one for good, until the owner switches the contact on again.
 */
export const ContactStatus = z.enum(['ok', 'unsubscribed', 'undeliverable']);
export type ContactStatus = z.infer<typeof ContactStatus>;

/** A friend or relative who gets an email with each new photo. */
export const Contact = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  relationship: z.nullable(ContactRelationship),
  isActive: z.boolean(),
  status: ContactStatus,
  createdAt: z.iso.datetime(),
});
export type Contact = z.infer<typeof Contact>;

export const ContactList = z.array(Contact);

const NAME_MAX_LENGTH = 100;

const name = z
  .string({ error: 'Name is required' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Name is required' }),
    z.maxLength(NAME_MAX_LENGTH, { error: `Please keep names under ${NAME_MAX_LENGTH} characters` }),
  );
const email = emailAddress('Please enter a valid email');
/** A form sends an empty text for none. */
const relationship = z.optional(
  z.pipe(
    z.nullable(
      z.union([z.literal(''), ContactRelationship], {
        error: 'Please choose a relationship from the list',
      }),
    ),
    z.transform((relationship) => relationship || null),
  ),
);

/** POST /api/contacts */
export const CreateContactRequest = z.object({ name, email, relationship });
export type CreateContactRequest = z.input<typeof CreateContactRequest>;

/** PATCH /api/contacts/:id: an absent field stays. */
export const UpdateContactRequest = z.object({
  name: z.optional(name),
  email: z.optional(email),
  relationship,
  isActive: z.optional(z.boolean({ error: 'Please send true or false' })),
});
export type UpdateContactRequest = z.input<typeof UpdateContactRequest>;
