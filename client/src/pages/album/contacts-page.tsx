import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Contact } from '#shared/album/contact';
import type { User } from '#shared/accounts/user';
import { useAppConfig } from '../../features/app-config/app-config-api.ts';
import { NotSentNotice } from '../../features/app-config/not-sent-notice.tsx';
import { UnverifiedEmailNotice } from '../../features/users/unverified-email-notice.tsx';
import { useContacts, useRemoveContact } from '../../features/contacts/contact-api.ts';
import { AddContactForm } from '../../features/contacts/contact-form.tsx';
import { ContactList, contactRowId, NoContacts } from '../../features/contacts/contact-list.tsx';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { ListSkeleton } from '../../ui/loading/skeleton.tsx';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';

export function ContactsPage({ user }: { user: User }) {
  usePageTitle('Your Contacts');
  const { data: contacts, isPending, isFetching, refetch } = useContacts();
  const { isFirstLoad } = useAppConfig();
  const [isAdding, setAdding] = useState(false);
  const [editedIds, setEditedIds] = useState<Set<string>>(new Set());
  const addButton = useRef<HTMLButtonElement>(null);

  const stopAdding = () => {
    setAdding(false);
    addButton.current?.focus();
  };
  const stopEditing = (contact: Contact) => {
    setEditedIds((ids) => new Set([...ids].filter((id) => id !== contact.id)));
    document.getElementById(contactRowId(contact))?.focus();
  };
  const confirmRemoval = useConfirmContactRemoval();

  return (
    <div className="mx-auto max-w-4xl px-5 pt-8 pb-24 sm:px-8 sm:pt-14">
      <header className="mb-8 flex flex-wrap items-end justify-between gap-6 sm:mb-10">
        <h1 className="text-display">Your Contacts</h1>
        <Button
          ref={addButton}
          data-focus-fallback=""
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
          className="w-full sm:w-auto"
        >
          <Plus />
          Add Contact
        </Button>
      </header>
      <p className="mb-8 max-w-2xl text-muted">
        All active contacts receive an email with each new photo, saying that you have shared a new photo of
        your pet. Photos within two minutes come as one email. They don’t need an account, and can stop the
        emails at any time.
      </p>
      <UnverifiedEmailNotice user={user} className="mb-8" />
      {/* Together with the list, which would jump. */}
      {!isPending && !isFirstLoad && <NotSentNotice kind="email" className="mb-8" />}
      {isAdding && <AddContactForm onClose={stopAdding} />}
      {isPending || isFirstLoad ? (
        <ListSkeleton label="Loading your contacts" />
      ) : !contacts ? (
        <LoadError what="Your contacts" onRetry={refetch} isRetrying={isFetching} />
      ) : contacts.length > 0 ? (
        <ContactList
          contacts={contacts}
          editedIds={editedIds}
          onEdit={({ id }) => setEditedIds((ids) => new Set([...ids, id]))}
          onEditEnd={stopEditing}
          onRemove={(contact) => void confirmRemoval(contact)}
        />
      ) : (
        !isAdding && <NoContacts onAdd={() => setAdding(true)} />
      )}
    </div>
  );
}

/** @returns a function that asks for confirmation and removes the contact */
function useConfirmContactRemoval() {
  const confirm = useConfirm();
  const { mutateAsync: remove } = useRemoveContact();
  return ({ id, name }: Contact) =>
    confirm({
      title: 'Are you sure you want to remove this contact?',
      description: `${name} will no longer get new photos, and links in earlier emails will stop working.`,
      confirmText: 'Remove',
      pendingText: 'Removing...',
      errorToast: ['Error', 'Failed to remove contact'],
      onConfirm: async () => {
        await remove(id);
        showSuccess('Contact removed');
      },
    });
}
