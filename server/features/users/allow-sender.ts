import { MAX_ALLOWED_SENDERS } from '#shared/inbound-email';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ConflictError } from '../../platform/errors.ts';
import { refuseOwnAddress } from './inbound-email-address.ts';
import { addAllowedSender, listAllowedSenders } from './allowed-sender-queries.ts';
import { lockUser } from './user-queries.ts';

const LIST_IS_FULL = `${MAX_ALLOWED_SENDERS} addresses may send already, which is the limit. Remove one under “Who may send”, or accept only this email.`;

/**
 * One more, or one that may send already. @throws ConflictError when as many may send as can, InvalidError for an
 * address of this installation's own
 */
export async function allowSender(
  { config }: Pick<AppContext, 'config'>,
  tx: Tx,
  ownerId: string,
  address: string,
): Promise<void> {
  refuseOwnAddress(config, address, 'allowSender');
  // As whoever replaces the list does: two at the same moment would pass its limit.
  await lockUser(tx, ownerId);
  const allowed = await listAllowedSenders(tx, ownerId);
  if (allowed.includes(address)) return;
  if (allowed.length >= MAX_ALLOWED_SENDERS)
    throw new ConflictError(LIST_IS_FULL, { allowSender: LIST_IS_FULL });
  await addAllowedSender(tx, ownerId, address);
}
