import { MAX_ALLOWED_SENDERS } from '#shared/transfers/inbound-email';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { isInstallationAddress } from '../accounts/users/inbound-email-address.ts';
import {
  findUser,
  lockUser,
  updateTimeZone,
  updateUser,
  userTimeZone,
} from '../accounts/users/user-queries.ts';
import { addAllowedSender, listAllowedSenders } from '../inbound-email/sender/allowed-sender-queries.ts';
import { isAlbumEmpty } from './album-item-queries.ts';
import { importCaricature, importContact, importPet } from './import-items.ts';
import { importMemory } from './import-memory.ts';
import {
  readPossibleAlbumIds,
  type ImportCounts,
  type ImportSource,
  type ImportState,
} from './import-state.ts';
import { getFile, type ImportedUser } from './read-archive/read-import-data.ts';

/**
 * Adds what the album does not have, item after item, and leaves what it has as it is. Idempotent. Sends no emails.
 * @param onProgress in the transaction that adds an item, if one does; throws to stop
 */
export async function importAlbum(
  context: AppContext,
  source: ImportSource,
  checked: ImportCounts,
  onProgress: ImportState['onProgress'],
): Promise<ImportCounts> {
  const { ownerId, spool, user } = source;
  const counts = { ...checked };
  const owner = await findUser(context.db, ownerId);
  const state: ImportState = {
    ...source,
    context,
    counts,
    onProgress,
    timeZone: owner ? userTimeZone(owner) : 'UTC',
    petIds: new Map(),
    matchedMemories: new Map(),
    possibleAlbumIds: await readPossibleAlbumIds(spool, ownerId),
  };
  const hasNewSenders = await context.db.transaction(async (tx) => {
    await lockUser(tx, ownerId);
    await onProgress(counts, tx);
    return (await isAlbumEmpty(tx, ownerId)) && fillProfile(context, tx, ownerId, user);
  });
  if (hasNewSenders) context.securityLog.record('allowed-senders-change', 'success', { userId: ownerId });
  for await (const item of spool.read()) {
    // Those with a file report their progress afterwards.
    if (!getFile(item)) await onProgress(counts);
    if (item.list === 'pets') await importPet(state, item.value);
    else if (item.list === 'memories') await importMemory(state, item.value);
    else if (item.list === 'contacts') await importContact(state, item.value);
    else await importCaricature(state, item.value);
  }
  return counts;
}

/**
 * What the owner has not entered yet. The username, the email address and the phone number are this account's.
 * @returns whether it added allowed senders
 */
async function fillProfile(
  context: AppContext,
  tx: Tx,
  ownerId: string,
  { firstName, lastName, timeZone, allowedSenders }: ImportedUser,
): Promise<boolean> {
  const owner = await findUser(tx, ownerId);
  if (!owner) return false;
  await updateUser(tx, ownerId, {
    firstName: owner.firstName ?? firstName,
    lastName: owner.lastName ?? lastName,
  });
  if (owner.timeZone === null && timeZone !== null) await updateTimeZone(tx, ownerId, timeZone);
  const present = await listAllowedSenders(tx, ownerId);
  const added = allowedSenders
    .filter((address) => !present.includes(address) && !isInstallationAddress(context.config, address))
    .slice(0, MAX_ALLOWED_SENDERS - present.length);
  for (const address of added) await addAllowedSender(tx, ownerId, address);
  return added.length > 0;
}
