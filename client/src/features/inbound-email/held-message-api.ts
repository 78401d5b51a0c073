import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { HeldMessageList, HeldMessagePreviews, type HeldMessage } from '#shared/inbound-email';
import { apiGet, apiPostEmpty } from '../../lib/api-client.ts';

const HELD_MESSAGES = '/api/held-messages';

/** All of them: the server keeps a few dozen at most. */
const heldMessagesQuery = queryOptions({
  queryKey: [HELD_MESSAGES],
  queryFn: ({ signal }) => apiGet(HELD_MESSAGES, HeldMessageList, signal),
});

/** Mail with photos that waits for its owner's OK, oldest first: what comes meanwhile moves no other away under a hand. */
export function useHeldMessages() {
  return useQuery({ ...heldMessagesQuery, select: oldestFirst });
}

const oldestFirst = (newestFirst: HeldMessage[]) => [...newestFirst].reverse();

/** Its first photos, small. They stay what they are while it waits. */
export function useHeldMessagePreviews({ id }: Pick<HeldMessage, 'id'>) {
  const path = `${HELD_MESSAGES}/${id}/previews`;
  return useQuery({
    queryKey: [path],
    staleTime: Infinity,
    queryFn: ({ signal }) => apiGet(path, HeldMessagePreviews, signal),
  });
}

type Acceptance = Pick<HeldMessage, 'id'> & {
  /** Also what comes from this sender later. */
  allowSender: boolean;
};

/** Its photos come into the album a little later. */
export function useAcceptHeldMessage() {
  return useDecision(({ id, allowSender }: Acceptance) =>
    apiPostEmpty(`${HELD_MESSAGES}/${id}/accept`, { allowSender }),
  );
}

/** It is gone for good. */
export function useDiscardHeldMessage() {
  return useDecision(({ id }: Pick<HeldMessage, 'id'>) => apiPostEmpty(`${HELD_MESSAGES}/${id}/reject`));
}

export function refreshHeldMessages(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries(heldMessagesQuery);
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
    // After a failure, too: it may have been decided on elsewhere.
    onSettled: () => void refreshHeldMessages(queryClient),
  });
}
