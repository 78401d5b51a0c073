import * as z from 'zod/mini';

/** Photos that a person adds together. */
export const Batch = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  /** Null while photos arrive. */
  finishedAt: z.nullable(z.iso.datetime()),
  /** When it was taken back; null otherwise. */
  takenBackAt: z.nullable(z.iso.datetime()),
  /** Memories that it added, without those that were deleted for good. */
  count: z.int(),
});
export type Batch = z.infer<typeof Batch>;

/** A batch can be taken back as a whole for this long, and is listed. */
export const BATCH_DAYS = 30;

/** GET /api/batches: of the last BATCH_DAYS, newest first. */
export const BatchList = z.array(Batch);

/** POST /api/batches: with an id of the client, so that it can be repeated. */
export const CreateBatchRequest = z.object({
  id: z.uuid({ error: 'The batch must be given by its id' }),
});

/** Contacts get an email of each photo of a smaller batch, as of photos added one by one. */
export const MAX_LOUD_BATCH = 10;
export const MAX_BATCH_EMAIL_PHOTOS = 6;

/** POST /api/batches/:id/finish. The memories that contacts are to get of a batch of more than MAX_LOUD_BATCH; none by default. */
export const FinishBatchRequest = z.object({
  contactsMemoryIds: z._default(
    z
      .array(z.uuid({ error: 'Memories must be given by their ids' }), {
        error: 'contactsMemoryIds must be a list',
      })
      .check(
        z.maxLength(MAX_BATCH_EMAIL_PHOTOS, {
          error: `Please choose at most ${MAX_BATCH_EMAIL_PHOTOS} photos`,
        }),
      ),
    [],
  ),
});
