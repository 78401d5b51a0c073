import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Contact } from '#shared/album/contact';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { showError } from '../../ui/toasts/show-error.ts';
import { CONTACT_NOT_UPDATED, useSwitchContact } from './contact-api.ts';
import { LetterIllustration } from '../../ui/letter-illustration.tsx';
import { EditContactForm, relationshipNames } from './contact-form.tsx';

export function contactRowId({ id }: Pick<Contact, 'id'>): string {
  return `contact-${id}`;
}

export function NoContacts({ onAdd }: { onAdd: () => void }) {
  return (
    <div className="flex flex-col items-center gap-6 py-8 text-center sm:py-16">
      <LetterIllustration />
      <div>
        <h2 className="text-lead font-medium">No contacts yet</h2>
        <p className="mt-1 max-w-sm text-balance text-muted">
          Add the family and friends who should see each new photo.
        </p>
      </div>
      <Button variant="secondary" onClick={onAdd}>
        Add Your First Contact
      </Button>
    </div>
  );
}

interface ContactListProps {
  contacts: Contact[];
  editedIds: Set<string>;
  onEdit: (contact: Contact) => void;
  onEditEnd: (contact: Contact) => void;
  onRemove: (contact: Contact) => void;
}

export function ContactList({ contacts, editedIds, onEdit, onEditEnd, onRemove }: ContactListProps) {
  return (
    <ul className="divide-y divide-hairline border-y border-hairline">
      {contacts.map((contact) => (
        <li key={contact.id} id={contactRowId(contact)} tabIndex={-1} className="outline-none">
          {editedIds.has(contact.id) ? (
            <EditContactForm contact={contact} onClose={() => onEditEnd(contact)} />
          ) : (
            <ContactRow contact={contact}>
              <IconButton name={`Edit ${contact.name}`} onClick={() => onEdit(contact)}>
                <Pencil />
              </IconButton>
              <IconButton name={`Remove ${contact.name}`} tone="danger" onClick={() => onRemove(contact)}>
                <Trash2 />
              </IconButton>
            </ContactRow>
          )}
        </li>
      ))}
    </ul>
  );
}

/** On phones the controls are below the name and address, which need the whole width. */
function ContactRow({ contact, children }: { contact: Contact; children: ReactNode }) {
  return (
    <div className="flex items-center gap-x-4 py-4 max-sm:flex-wrap max-sm:pb-2">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <h2 className="font-sans text-body font-semibold tracking-normal wrap-anywhere">
          <bdi>{contact.name}</bdi>
        </h2>
        <p className="text-small wrap-anywhere text-muted">
          {contact.email}
          {contact.relationship && (
            <>
              {' '}
              · <span className="whitespace-nowrap">{relationshipNames[contact.relationship]}</span>
            </>
          )}
        </p>
        <ContactState contact={contact} />
      </div>
      <ActiveSwitch contact={contact} />
      <div className="flex max-sm:-mr-3 max-sm:ml-auto">{children}</div>
    </div>
  );
}

const STATES = {
  unsubscribed: 'Unsubscribed. Only they can turn the emails back on.',
  undeliverable:
    'Could not be delivered: please check the address and edit it, or switch them on to try again.',
};

function ContactState({ contact: { status } }: { contact: Contact }) {
  if (status === 'ok') return null;
  return <p className="mt-1 text-small text-danger">{STATES[status]}</p>;
}

function ActiveSwitch({ contact }: { contact: Contact }) {
  const { mutateAsync: switchContact } = useSwitchContact();
  const { id, name, isActive, status } = contact;
  // Undeliverable contacts are off until they are switched on again.
  const isOn = isActive && status === 'ok';
  const change = (isActive: boolean) => {
    switchContact({ id, isActive }).catch((error: unknown) => showError(error, 'Error', CONTACT_NOT_UPDATED));
  };
  return (
    <div className="flex flex-none items-center gap-2.5 max-sm:flex-row-reverse">
      <span aria-hidden className="text-small text-muted">
        {isOn ? 'Active' : 'Inactive'}
      </span>
      <Switch
        checked={isOn}
        onCheckedChange={change}
        disabled={status === 'unsubscribed'}
        aria-label={`Send new photos to ${name}`}
      />
    </div>
  );
}
