import {
  AcceptHeldMessageRequest,
  AllowedSenders,
  ForwardingRequestList,
  HeldMessage,
  HeldMessagePreviews,
  MAX_FORWARDING_REQUESTS,
} from '#shared/transfers/inbound-email';
import { User } from '#shared/accounts/user';
import * as z from 'zod/mini';
import { findById, parse, removeById } from '../state/items.ts';
import { command, list, parseBody, route } from './route.ts';

const UNKNOWN = 'This message was not found. It may already have been accepted or discarded.';
const Message = z.object({ message: z.string() });

export const heldMessageRoutes = [
  list('GET /api/held-messages', HeldMessage, ({ state }) => state.heldMessages),
  route('GET /api/held-messages/:id/previews', HeldMessagePreviews, ({ state, params }) => {
    const { photoCount } = findById(state.heldMessages, params['id'], UNKNOWN);
    return Array.from({ length: Math.min(photoCount, 4) }, () => PREVIEW);
  }),
  route(
    'POST /api/held-messages/:id/accept',
    Message,
    (call) => {
      const { state, params } = call;
      const { allowSender, ...choice } = parse(call.body ?? {}, AcceptHeldMessageRequest);
      const { sender } = findById(state.heldMessages, params['id'], UNKNOWN);
      if (choice.petId) findById(state.pets, choice.petId, 'This pet was not found.');
      removeById(state.heldMessages, params['id']);
      state.acceptedMessages.push(choice);
      if (allowSender && sender) state.allowedSenders.push(sender);
      return { message: 'The photos are on their way into your album.' };
    },
    { status: 202 },
  ),
  command('POST /api/held-messages/:id/reject', ({ state, params }) =>
    removeById(state.heldMessages, params['id'], UNKNOWN),
  ),
  route('GET /api/user/forwarding-requests', ForwardingRequestList, ({ state }) =>
    state.forwardingRequests.slice(0, MAX_FORWARDING_REQUESTS),
  ),
  route('GET /api/user/allowed-senders', AllowedSenders, ({ state }) => ({
    addresses: state.allowedSenders,
  })),
  route('PUT /api/user/allowed-senders', AllowedSenders, (call) => {
    const { addresses } = parseBody(call, AllowedSenders);
    call.state.allowedSenders = addresses;
    return { addresses };
  }),
  route('POST /api/user/inbound-email/reset', User, ({ state }) =>
    Object.assign(state.user, { inboundEmail: `photos-${state.nextId++}@mems.example` }),
  ),
];

const PREVIEW = 'data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';
