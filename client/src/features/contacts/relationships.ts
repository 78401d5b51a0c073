import type { ContactRelationship } from '#shared/contact';

export const relationshipNames: Record<ContactRelationship, string> = {
  family: 'Family',
  friend: 'Friend',
  partner: 'Partner',
  colleague: 'Colleague',
  other: 'Other',
};
