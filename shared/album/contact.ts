import * as z from 'zod/mini';
import { emailAddress } from '../text/email-address.ts';
import { isVisible } from '../text/visible-text.ts';

export const ContactRelationship = z.enum(['family', 'friend', 'partner', 'colleague', 'other'], {
  error: 'Please choose a relationship from the list',
});
export type ContactRelationship = z.infer<typeof ContactRelationship>;

/** `unsubscribed`: only the contact can resubscribe. `undeliverable`: until the owner switches the contact on again. */
export const ContactStatus = z.enum(['ok', 'unsubscribed', 'undeliverable']);
export type ContactStatus = z.infer<typeof ContactStatus>;

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

const MAX_NAME_LENGTH = 100;

const name = z
  .string({ error: 'Name is required' })
  .check(
    z.trim(),
    z.refine(isVisible, { error: 'Name is required' }),
    z.maxLength(MAX_NAME_LENGTH, { error: `Please keep names under ${MAX_NAME_LENGTH} characters` }),
  );
const email = emailAddress('Please enter a valid email');
/** Forms send an empty string for no relationship. */
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

export const CreateContactRequest = z.object({ name, email, relationship });
export type CreateContactRequest = z.input<typeof CreateContactRequest>;

/** PATCH /api/contacts/:id: absent fields are unchanged. */
export const UpdateContactRequest = z.object({
  name: z.optional(name),
  email: z.optional(email),
  relationship,
  isActive: z.optional(z.boolean({ error: 'Please send true or false' })),
});
export type UpdateContactRequest = z.input<typeof UpdateContactRequest>;
