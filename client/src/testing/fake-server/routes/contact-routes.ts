import { Contact, CreateContactRequest, UpdateContactRequest } from '#shared/album/contact';
import { newId } from '../state/fake-state.ts';
import { definedOnly, FakeError, fieldError, findById, removeById } from '../state/items.ts';
import { command, list, parseBody, route, type Call } from './route.ts';

const UNKNOWN = 'This contact was not found.';

export const contactRoutes = [
  list('GET /api/contacts', Contact, ({ state }) => state.contacts),
  route('POST /api/contacts', Contact, createContact, { status: 201 }),
  route('PATCH /api/contacts/:id', Contact, (call) => {
    const changes = parseBody(call, UpdateContactRequest);
    const contact = findById(call.state.contacts, call.params['id'], UNKNOWN);
    if (changes.email) expectFree(call, changes.email, contact);
    if (changes.isActive && contact.status === 'unsubscribed')
      throw new FakeError(409, `${contact.name} has unsubscribed. Only they can change that.`);
    return Object.assign(contact, definedOnly(changes));
  }),
  command('DELETE /api/contacts/:id', ({ state, params }) =>
    removeById(state.contacts, params['id'], UNKNOWN),
  ),
];

function createContact(call: Call): Contact {
  const { relationship = null, ...fields } = parseBody(call, CreateContactRequest);
  expectFree(call, fields.email);
  const { state } = call;
  const contact: Contact = {
    id: newId(state),
    ...fields,
    relationship,
    isActive: true,
    status: 'ok',
    createdAt: state.now,
  };
  state.contacts.unshift(contact);
  return contact;
}

function expectFree({ state }: Call, email: string, except?: Contact): void {
  const isTaken = state.contacts.some(
    (each) => each !== except && each.email.toLowerCase() === email.toLowerCase(),
  );
  if (isTaken) throw fieldError(409, 'email', 'You already have a contact with this email');
}
