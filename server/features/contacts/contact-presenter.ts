import type { Contact, ContactStatus } from '#shared/contact';
import type { ContactRow } from './contact-queries.ts';

export function presentContact(row: ContactRow): Contact {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    relationship: row.relationship,
    // The switch shows what is so; how the owner left it holds again for one who comes back.
    isActive: row.isActive && row.unsubscribedAt === null,
    status: statusOf(row),
    createdAt: row.createdAt.toISOString(),
  };
}

function statusOf({ unsubscribedAt, undeliverableAt }: ContactRow): ContactStatus {
  if (unsubscribedAt) return 'unsubscribed';
  return undeliverableAt ? 'undeliverable' : 'ok';
}
