import type { Contact, ContactStatus } from '#shared/album/contact';
import type { ContactRow } from './contact-queries.ts';

export function presentContact(row: ContactRow): Contact {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    relationship: row.relationship,
    // Off while unsubscribed; the owner's stored setting applies again when the contact resubscribes.
    isActive: row.isActive && row.unsubscribedAt === null,
    status: toStatus(row),
    createdAt: row.createdAt.toISOString(),
  };
}

function toStatus({ unsubscribedAt, undeliverableAt }: ContactRow): ContactStatus {
  if (unsubscribedAt) return 'unsubscribed';
  return undeliverableAt ? 'undeliverable' : 'ok';
}
