import type { AcceptHeldMessageRequest, HeldMessage } from '#shared/transfers/inbound-email';
import type { AppContext } from '../../../platform/context.ts';
import { NotFoundError } from '../../../platform/errors.ts';
import { getPet, listPets, type PetRow } from '../../pets/pet-queries.ts';
import { checkStorageLimit } from '../../storage/storage-limit.ts';
import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import { allowSender, TOO_MANY_CHANGES } from '../sender/allowed-sender-queries.ts';
import { notifyOwner } from '../../accounts/users/send-security-notice-job.ts';
import type { UserRow } from '../../accounts/users/user-queries.ts';
import {
  EMAIL_RETENTION_MS,
  emailKey,
  lockEmail,
  updateEmail,
  type InboundEmailRow,
} from '../inbound-email-queries.ts';
import { ingestEmailsJob } from '../ingest-emails-job.ts';
import { parseEmailCaption } from '../parse/email-caption.ts';

export const MESSAGE_NOT_FOUND =
  'This message was not found. It may already have been accepted or discarded.';

export async function presentHeldMessages(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  rows: InboundEmailRow[],
): Promise<HeldMessage[]> {
  const pets = rows.length > 0 ? await listPets(db, ownerId) : [];
  return rows.map((row) => presentHeldMessage(row, pets));
}

function presentHeldMessage(row: InboundEmailRow, pets: readonly PetRow[]): HeldMessage {
  return {
    id: row.id,
    sender: row.sender,
    isSenderAuthenticated: row.isAuthenticated,
    subject: row.subject,
    petId: parseEmailCaption({ subject: row.subject, firstLine: '' }, pets).pet?.id ?? null,
    photoCount: row.photoCount,
    createdAt: row.createdAt.toISOString(),
    expiresAt: new Date(row.createdAt.getTime() + EMAIL_RETENTION_MS).toISOString(),
  };
}

/** Idempotent. The message stays held when an error is thrown. @returns whether its sender may send from now on, and could not before */
export async function acceptHeldMessage(
  context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock' | 'diskSpace' | 'mailer' | 'rateLimits'>,
  ownerId: string,
  id: string,
  request: AcceptHeldMessageRequest,
  source: RequestSource,
): Promise<boolean> {
  const { db, jobs, clock, diskSpace, rateLimits } = context;
  await diskSpace.requireRoom();
  if (request.allowSender) await rateLimits.inboundSettingsPerUser.consume(ownerId, TOO_MANY_CHANGES);
  return db.transaction(async (tx) => {
    const email = await lockEmail(tx, ownerId, id);
    let allowedBy: UserRow | null = null;
    if (request.allowSender && email?.sender && (email.status === 'waiting' || email.acceptedAt))
      allowedBy = await allowSender(context, tx, ownerId, email.sender);
    if (allowedBy) await notifyOwner(context, tx, allowedBy, 'allowed-senders-changed', source);
    const isSenderNew = allowedBy !== null;
    if (email?.acceptedAt && email.status !== 'waiting') return isSenderNew;
    if (email?.status !== 'waiting') throw new NotFoundError(MESSAGE_NOT_FOUND);
    // Check now, by the size of the email: its owner would get no reply about rejected photos later.
    await checkStorageLimit(context.config, tx, ownerId, email.byteSize);
    const { petId, emailContacts = email.isAuthenticated } = request;
    if (petId) await getPet(tx, ownerId, petId);
    const now = clock.now();
    await updateEmail(tx, email, {
      status: 'received',
      acceptedAt: now,
      acceptOptions: { petId, emailContacts },
      nextAttemptAt: now,
      attempts: 0,
    });
    await jobs.enqueue(tx, ingestEmailsJob, {});
    return isSenderNew;
  });
}

/** Idempotent. */
export async function rejectHeldMessage(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  ownerId: string,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const email = await lockEmail(tx, ownerId, id);
    if (email?.status === 'rejected') return;
    if (email?.status !== 'waiting') throw new NotFoundError(MESSAGE_NOT_FOUND);
    await updateEmail(tx, email, { status: 'rejected' });
  });
  // The purge deletes what cannot be deleted now.
  await storage.delete(emailKey(id)).then(
    () => updateEmail(db, { ownerId, id }, { isStored: false }),
    () => undefined,
  );
}
