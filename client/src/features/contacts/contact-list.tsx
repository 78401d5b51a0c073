import { Trash2 } from 'lucide-react';
import { Switch } from 'radix-ui';
import type { Contact } from '#shared/contact';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { useSwitchContact } from './contact-api.ts';
import { relationshipNames } from './relationships.ts';

/** Where the focus can go when a neighbour is removed. */
export function contactRowId({ id }: Pick<Contact, 'id'>): string {
  return `contact-${id}`;
}

interface ContactListProps {
  contacts: Contact[];
  onRemove: (contact: Contact, button: HTMLElement) => void;
}

export function ContactList({ contacts, onRemove }: ContactListProps) {
  return (
    <ul className="divide-y divide-hairline border-y border-hairline">
      {contacts.map((contact) => (
        <li
          key={contact.id}
          id={contactRowId(contact)}
          tabIndex={-1}
          className="flex items-center gap-x-4 py-4 outline-none"
        >
          <div className="min-w-0 flex-1">
            <h2 className="truncate font-sans text-body font-semibold tracking-normal">
              <bdi>{contact.name}</bdi>
            </h2>
            <p className="truncate text-small text-muted">
              {contact.email}
              {contact.relationship && <> · {relationshipNames[contact.relationship]}</>}
            </p>
            <ContactState contact={contact} />
          </div>
          <ActiveSwitch contact={contact} />
          <button
            type="button"
            aria-label={`Remove ${contact.name}`}
            onClick={({ currentTarget }) => onRemove(contact, currentTarget)}
            className="grid size-11 flex-none place-items-center rounded-full text-muted hover:bg-well hover:text-danger"
          >
            <Trash2 aria-hidden className="size-5" strokeWidth={1.75} />
          </button>
        </li>
      ))}
    </ul>
  );
}

const STATES = {
  unsubscribed: 'Unsubscribed: they chose to get no more e-mails, and only they can change that.',
  undeliverable: 'Could not be delivered: please check the address. Switch them on to try again.',
};

function ContactState({ contact: { status } }: { contact: Contact }) {
  if (status === 'ok') return null;
  return <p className="mt-1 text-small text-danger">{STATES[status]}</p>;
}

function ActiveSwitch({ contact }: { contact: Contact }) {
  const { mutateAsync: switchContact } = useSwitchContact();
  const { id, name, isActive, status } = contact;
  // One whose mail was refused is off, until it is switched on again.
  const isOn = isActive && status === 'ok';
  const change = (isActive: boolean) => {
    switchContact({ id, isActive }).catch((error: unknown) =>
      showFailure(error, 'Error', 'Failed to update contact'),
    );
  };
  return (
    <div className="flex flex-none items-center gap-2.5">
      <span aria-hidden className="text-small text-muted max-sm:hidden">
        {isOn ? 'Active' : 'Inactive'}
      </span>
      <Switch.Root
        checked={isOn}
        onCheckedChange={change}
        disabled={status === 'unsubscribed'}
        aria-label={`Send new photos to ${name}`}
        className="group grid h-11 w-12 place-items-center disabled:opacity-50"
      >
        <span className="flex h-7 w-12 items-center rounded-full border border-edge bg-well px-0.5 group-data-[state=checked]:border-sage group-data-[state=checked]:bg-sage">
          <Switch.Thumb className="size-5.5 rounded-full border border-edge bg-sheet transition-transform duration-150 data-[state=checked]:translate-x-5 data-[state=checked]:border-transparent" />
        </span>
      </Switch.Root>
    </div>
  );
}

export function ContactListSkeleton() {
  return (
    <div role="status" aria-label="Loading your contacts" className="space-y-4">
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-16" />
      ))}
    </div>
  );
}
