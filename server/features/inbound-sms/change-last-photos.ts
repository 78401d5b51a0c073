import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { editMemoryIn } from '../memories/edit/edit-memory.ts';
import { trashMemoryRow } from '../memories/trash/memory-trash-queries.ts';
import type { NamedPet } from './reply-to-sms.ts';
import {
  hasAddedPhotos,
  listMemoriesOfMessage,
  lockLastPhotoMessage,
  markMessageDone,
  markMessageUndone,
  type InboundMessageRow,
} from './inbound-sms-queries.ts';
import { PHOTOS_NOT_ADDED, replyToMove, replyToUndo } from './sms-replies.ts';

/** Moves the photos of the sender's last photo message to the trash. @returns the reply */
export async function undoLastPhotos(
  { clock }: Pick<AppContext, 'clock'>,
  tx: Tx,
  message: InboundMessageRow,
): Promise<string> {
  const { ownerId } = message;
  const last = await lockLastPhotoMessage(tx, message);
  if (!last) return replyToUndo(null, false);
  if (!(await hasAddedPhotos(tx, last.id))) return PHOTOS_NOT_ADDED;
  const memories = await listMemoriesOfMessage(tx, ownerId, last.id);
  if (last.undoneAt && memories.length === 0) return replyToUndo(null, true);
  const now = clock.now();
  for (const { id } of memories) await trashMemoryRow(tx, ownerId, id, now);
  await markMessageUndone(tx, ownerId, last.id, now);
  return replyToUndo(memories.length, false);
}

/** Assigns the photos of the sender's last photo message to the pet. @returns the reply */
export async function moveLastPhotos(tx: Tx, message: InboundMessageRow, pets: NamedPet[]): Promise<string> {
  const { ownerId, petId } = message;
  const pet = pets.find(({ id }) => id === petId);
  if (!pet) return replyToMove(null, { moved: 0, count: 0, isUndone: false });
  const last = await lockLastPhotoMessage(tx, message);
  if (!last) return replyToMove(pet.name, { moved: 0, count: null, isUndone: false });
  if (!(await hasAddedPhotos(tx, last.id))) return PHOTOS_NOT_ADDED;
  const memories = await listMemoriesOfMessage(tx, ownerId, last.id);
  const others = memories.filter((memory) => memory.petId !== pet.id);
  for (const { id } of others) await editMemoryIn(tx, ownerId, id, { petId: pet.id });
  return replyToMove(pet.name, {
    moved: others.length,
    count: memories.length,
    isUndone: last.undoneAt !== null && memories.length === 0,
  });
}

/** Likes the photos of the sender's last photo message, or takes that back, without a reply. Idempotent. */
export async function likeLastPhotos(
  { db }: Pick<AppContext, 'db'>,
  message: InboundMessageRow,
): Promise<void> {
  const { ownerId, id, kind, petId } = message;
  await db.transaction(async (tx) => {
    if (!(await markMessageDone(tx, ownerId, id))) return;
    const last = await lockLastPhotoMessage(tx, message);
    if (!last) return;
    const memories = await listMemoriesOfMessage(tx, ownerId, last.id);
    // The reaction is to an earlier reply, which names another pet.
    if (petId && ![last, ...memories].some((each) => each.petId === petId)) return;
    for (const memory of memories) await editMemoryIn(tx, ownerId, memory.id, { isLiked: kind === 'like' });
  });
}
