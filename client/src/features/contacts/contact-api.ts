import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  Contact,
  ContactList,
  type CreateContactRequest,
  type UpdateContactRequest,
} from '#shared/album/contact';
import { PAGE_SIZE } from '#shared/api/pagination';
import { apiDelete, apiGetAll, apiPatch, apiPost, ignoreNotFound } from '../../lib/api/api-client.ts';

/** In a toast. */
export const CONTACT_NOT_UPDATED = 'Failed to update contact';
const CONTACTS = '/api/contacts';
const switchKey = [CONTACTS, 'switch'];

/** Newest first. */
const contactsQuery = queryOptions({
  queryKey: [CONTACTS],
  queryFn: ({ signal }) => apiGetAll(`${CONTACTS}?limit=${PAGE_SIZE}`, ContactList, signal),
});

export function useContacts() {
  return useQuery(contactsQuery);
}

export function useCreateContact() {
  const { update, reload } = useContactCache();
  return useMutation({
    mutationFn: ({ contact, idempotencyKey }: { contact: CreateContactRequest; idempotencyKey: string }) =>
      apiPost(CONTACTS, contact, Contact, { 'Idempotency-Key': idempotencyKey }),
    onSuccess: (contact) => update((contacts) => [contact, ...contacts]),
    // Also on error: only the response may have been lost. Not awaited, so that the form closes at once.
    onSettled: reload,
  });
}

interface EditContact extends Pick<Contact, 'id'> {
  changes: Omit<UpdateContactRequest, 'isActive'>;
}

export function useEditContact() {
  const { change, reload } = useContactCache();
  return useMutation({
    mutationFn: ({ id, changes }: EditContact) => apiPatch(`${CONTACTS}/${id}`, changes, Contact),
    onSuccess: (edited) => change(edited.id, edited),
    onSettled: reload,
  });
}

/** Optimistic. */
export function useSwitchContact() {
  const { queryClient, change, reload } = useContactCache();
  return useMutation({
    mutationKey: switchKey,
    // Serialized: the last choice wins.
    scope: { id: 'contact-switches' },
    mutationFn: ({ id, isActive }: Pick<Contact, 'id' | 'isActive'>) =>
      apiPatch(`${CONTACTS}/${id}`, { isActive }, Contact),
    onMutate: async ({ id, isActive }) => {
      await queryClient.cancelQueries({ queryKey: contactsQuery.queryKey, exact: true });
      change(id, { isActive });
    },
    onSuccess: ({ id, status }) => change(id, { status }),
    onError: (_error, { id, isActive }) => change(id, { isActive: !isActive }),
    onSettled: () => {
      // While another switch is pending, a response from before it would flip it back.
      if (queryClient.isMutating({ mutationKey: switchKey }) === 1) reload();
    },
  });
}

export function useRemoveContact() {
  const { update, reload } = useContactCache();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${CONTACTS}/${id}`).catch(ignoreNotFound),
    onSuccess: (_nothing, id) => update((contacts) => contacts.filter((contact) => contact.id !== id)),
    onSettled: reload,
  });
}

function useContactCache() {
  const queryClient = useQueryClient();
  const update = (to: (contacts: Contact[]) => Contact[]) =>
    queryClient.setQueryData(contactsQuery.queryKey, (contacts) => contacts && to(contacts));
  return {
    queryClient,
    update,
    change: (id: string, changes: Partial<Contact>) =>
      update((contacts) =>
        contacts.map((contact) => (contact.id === id ? { ...contact, ...changes } : contact)),
      ),
    reload: () => void queryClient.invalidateQueries({ queryKey: [CONTACTS] }),
  };
}
