import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import {
  ForwardingRequestList,
  HeldMessageList,
  HeldMessagePreviews,
  type AcceptHeldMessageRequest,
  type HeldMessage,
} from '#shared/transfers/inbound-email';
import { apiGet, apiPostEmpty } from '../../lib/api/api-client.ts';

const HELD_MESSAGES = '/api/held-messages';

/** Not paged: the server holds at most 50 messages. */
const heldMessagesQuery = queryOptions({
  queryKey: [HELD_MESSAGES],
  queryFn: ({ signal }) => apiGet(HELD_MESSAGES, HeldMessageList, signal),
});

/** Oldest first, so that new messages do not move others. */
export function useHeldMessages() {
  return useQuery({ ...heldMessagesQuery, select: oldestFirst });
}

const oldestFirst = (newestFirst: HeldMessage[]) => [...newestFirst].reverse();

export function useHeldMessagePreviews({ id }: Pick<HeldMessage, 'id'>) {
  const path = `${HELD_MESSAGES}/${id}/previews`;
  return useQuery({
    queryKey: [path],
    staleTime: Infinity,
    queryFn: ({ signal }) => apiGet(path, HeldMessagePreviews, signal),
  });
}

export type AcceptRequest = Pick<HeldMessage, 'id'> & AcceptHeldMessageRequest;

/** A job adds the photos. */
export function useAcceptHeldMessage() {
  return useDecision(({ id, ...request }: AcceptRequest) =>
    apiPostEmpty(`${HELD_MESSAGES}/${id}/accept`, request),
  );
}

export function useDiscardHeldMessage() {
  return useDecision(({ id }: Pick<HeldMessage, 'id'>) => apiPostEmpty(`${HELD_MESSAGES}/${id}/reject`));
}

const FORWARDING_REQUESTS = '/api/user/forwarding-requests';

const forwardingRequestsQuery = queryOptions({
  queryKey: [FORWARDING_REQUESTS],
  queryFn: ({ signal }) => apiGet(FORWARDING_REQUESTS, ForwardingRequestList, signal),
});

export function useForwardingRequests() {
  return useQuery(forwardingRequestsQuery);
}

/** Also the forwarding requests: one kind of event tells of both. */
export async function refreshHeldMessages(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries(heldMessagesQuery),
    queryClient.invalidateQueries(forwardingRequestsQuery),
  ]);
}

function useDecision<Decision extends Pick<HeldMessage, 'id'>>(
  decide: (decision: Decision) => Promise<void>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: async (_nothing, { id }) => {
      await queryClient.cancelQueries({ queryKey: heldMessagesQuery.queryKey });
      queryClient.setQueryData(heldMessagesQuery.queryKey, (messages) =>
        messages?.filter((message) => message.id !== id),
      );
    },
    // Also on error: another tab or device may have decided.
    onSettled: () => void refreshHeldMessages(queryClient),
  });
}
