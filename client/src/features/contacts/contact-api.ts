import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Contact, ContactList, type CreateContactRequest, type UpdateContactRequest } from '#shared/contact';
import { PAGE_SIZE } from '#shared/page';
import { apiDelete, apiGetAll, apiPatch, apiPost, ignoreNotFound } from '../../lib/api-client.ts';

const CONTACTS = '/api/contacts';
const switchKey = [CONTACTS, 'switch'];

/** Every contact of this account, newest first. */
const contactsQuery = queryOptions({
  queryKey: [CONTACTS],
  queryFn: ({ signal }) => apiGetAll(`${CONTACTS}?limit=${PAGE_SIZE}`, ContactList, signal),
});

export function useContacts() {
  return useQuery(contactsQuery);
}

interface CreateContact {
  contact: CreateContactRequest;
  /** The same key with the same contact makes one, however often it is sent. */
  idempotencyKey: string;
}

export function useCreateContact() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ contact, idempotencyKey }: CreateContact) =>
      apiPost(CONTACTS, contact, Contact, { 'Idempotency-Key': idempotencyKey }),
    onSuccess: (contact) =>
      queryClient.setQueryData(contactsQuery.queryKey, (contacts) => contacts && [contact, ...contacts]),
    // Also after a failure: the answer alone may have been lost. Not awaited: the list may take its time.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [CONTACTS] }),
  });
}

interface EditContact extends Pick<Contact, 'id'> {
  /** Omitted fields are unchanged. */
  changes: Omit<UpdateContactRequest, 'isActive'>;
}

export function useEditContact() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, changes }: EditContact) => apiPatch(`${CONTACTS}/${id}`, changes, Contact),
    onSuccess: (edited) =>
      queryClient.setQueryData(contactsQuery.queryKey, (contacts) =>
        contacts?.map((contact) => (contact.id === edited.id ? edited : contact)),
      ),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [CONTACTS] }),
  });
}

/** Shows the switch in its new place at once, and takes it back when the server says no. */
export function useSwitchContact() {
  const queryClient = useQueryClient();
  const show = (id: string, changes: Partial<Contact>) =>
    queryClient.setQueryData(contactsQuery.queryKey, (contacts) =>
      contacts?.map((contact) => (contact.id === id ? { ...contact, ...changes } : contact)),
    );
  return useMutation({
    mutationKey: switchKey,
    // One after the other: what was chosen last stays.
    scope: { id: 'contact-switches' },
    mutationFn: ({ id, isActive }: Pick<Contact, 'id' | 'isActive'>) =>
      apiPatch(`${CONTACTS}/${id}`, { isActive }, Contact),
    onMutate: async ({ id, isActive }) => {
      await queryClient.cancelQueries({ queryKey: contactsQuery.queryKey, exact: true });
      show(id, { isActive });
    },
    onSuccess: (contact) => show(contact.id, { status: contact.status }),
    onError: (_error, { id, isActive }) => show(id, { isActive: !isActive }),
    onSettled: () => {
      // While another is on its way, an answer from before it would undo it on the screen.
      if (queryClient.isMutating({ mutationKey: switchKey }) === 1)
        void queryClient.invalidateQueries({ queryKey: [CONTACTS] });
    },
  });
}

export function useRemoveContact() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${CONTACTS}/${id}`).catch(ignoreNotFound),
    onSuccess: (_nothing, id) =>
      queryClient.setQueryData(contactsQuery.queryKey, (contacts) =>
        contacts?.filter((contact) => contact.id !== id),
      ),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [CONTACTS] }),
  });
}
