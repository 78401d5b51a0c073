import * as z from 'zod/mini';
import { ALBUM_FULL } from '#shared/api/api-error';
import { Batch, CreateBatchRequest, FinishBatchRequest } from '#shared/transfers/batch';
import { CompletedUpload, CompleteUploadRequest } from '#shared/album/memory';
import { chooseMemoryDate } from '#shared/dates/memory-date';
import {
  CreateUploadRequest,
  KnownPhotos,
  KnownPhotosRequest,
  MAX_BATCH_PHOTO_BYTES,
  MAX_UPLOAD_BYTES,
  StorageUsage,
  Upload,
} from '#shared/transfers/upload';
import { newId } from '../state/fake-state.ts';
import { PLACEHOLDER } from '../photo.ts';
import { FakeError, findById, notFound } from '../state/items.ts';
import { command, parseBody, route, type Call } from './route.ts';

export const uploadRoutes = [
  route('POST /api/objects/upload', Upload, (call) => {
    const { size = 0, batchId } = parseBody({ ...call, body: call.body ?? {} }, CreateUploadRequest);
    const { state } = call;
    const maxBytes = batchId ? MAX_BATCH_PHOTO_BYTES : MAX_UPLOAD_BYTES;
    if (size > maxBytes) throw new FakeError(413, `This photo is larger than ${maxBytes / 1024 ** 2} MB.`);
    const { usedBytes, limitBytes } = state.storage;
    if (usedBytes + size > limitBytes) throw albumFull(limitBytes);
    const id = newId(state);
    state.uploads.push({ id, isStored: false, memoryId: null });
    return { uploadURL: `${state.origin}/uploads/${id}` };
  }),
  command(
    'PUT /uploads/:id',
    ({ state, params }) => {
      findById(state.uploads, params['id']).isStored = true;
    },
    { isPublic: true, status: 200 },
  ),
  route('POST /api/memories/complete-upload', CompletedUpload, completeUpload, { status: 201 }),
  route('POST /api/uploads/known', KnownPhotos, (call) => {
    const { hashes } = parseBody(call, KnownPhotosRequest);
    return { known: call.state.knownPhotos.filter(({ sha256 }) => hashes.includes(sha256)) };
  }),
  route('GET /api/user/storage', StorageUsage, ({ state }) => state.storage),

  route('GET /api/batches', z.array(Batch), ({ state }) => state.batches),
  command('POST /api/batches', (call) => {
    const { id } = parseBody(call, CreateBatchRequest);
    const { state } = call;
    if (state.batches.some((batch) => batch.id === id)) return;
    state.batches.unshift({ id, createdAt: state.now, finishedAt: null, takenBackAt: null, count: 0 });
  }),
  command('POST /api/batches/:id/finish', (call) => {
    parseBody(call, FinishBatchRequest);
    batchOf(call).finishedAt ??= call.state.now;
  }),
  command('DELETE /api/batches/:id', (call) => {
    batchOf(call).takenBackAt ??= call.state.now;
  }),
  command('POST /api/batches/:id/restore', (call) => {
    batchOf(call).takenBackAt = null;
  }),
];

function batchOf({ state, params }: Call): Batch {
  return findById(state.batches, params['id']);
}

function albumFull(limitBytes: number): FakeError {
  const size = Number((limitBytes / 1024 ** 3).toPrecision(3));
  const message = `Your album is full: it holds ${size} GB of photos. Delete some for good to make room for new ones.`;
  return new FakeError(413, message, { code: ALBUM_FULL });
}

function completeUpload(call: Call): CompletedUpload {
  const { uploadURL, ...fields } = parseBody(call, CompleteUploadRequest);
  const { state } = call;
  const upload = state.uploads.find(({ id }) => uploadURL.includes(id));
  if (!upload) throw notFound('This upload was not found. Please add the photo again.');
  if (!upload.isStored) throw new FakeError(409, 'Nothing has been uploaded to this address yet.');
  const existing = state.album.memories.find(({ id }) => id === upload.memoryId);
  if (existing) return { ...existing, before: 'none' };
  const { memoryDate: person, isUndated, exifDate: exif, sidecarDate: sidecar, fileName } = fields;
  const chosen = chooseMemoryDate({ person, isUndated, exif, sidecar, fileName });
  const memory = {
    id: newId(state),
    petId: fields.petId || null,
    imageUrl: `/objects/${newId(state)}`,
    caption: fields.caption || null,
    tags: fields.tags ?? [],
    isLiked: fields.isLiked ?? false,
    memoryDate: chosen?.date ?? null,
    dateSource: chosen?.source ?? null,
    createdAt: state.now,
    source: 'web' as const,
    width: 400,
    height: 300,
    isAnimated: false,
    placeholder: PLACEHOLDER,
  };
  upload.memoryId = memory.id;
  state.album.create(memory);
  return { ...memory, before: 'none' };
}
