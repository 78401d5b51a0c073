import type * as z from 'zod/mini';
import {
  Caricature,
  CaricatureOptions,
  CONSENT_NEEDED,
  GenerateCaricatureRequest,
} from '#shared/album/caricature';
import { CreateFlipbookPdfRequest, FlipbookPdf } from '#shared/album/flipbook';
import { Memory } from '#shared/album/memory';
import { Pet } from '#shared/album/pet';
import { PHOTO, PLACEHOLDER } from '../photo.ts';
import { newId } from '../state/fake-state.ts';
import { FakeError, findById, notFound, removeById } from '../state/items.ts';
import { command, file, list, parseBody, route, type Call } from './route.ts';

const CARICATURES = '/api/caricatures';
const UNKNOWN = 'This caricature was not found.';

export const caricatureRoutes = [
  list(`GET ${CARICATURES}`, Caricature, ({ state }) => state.caricatures),
  list('GET /api/pets/:id/caricatures', Caricature, ({ state, params: { id } }) => {
    findById(state.pets, id, 'This pet was not found.');
    return state.caricatures.filter(({ petId }) => petId === id);
  }),
  route(`GET ${CARICATURES}/options`, CaricatureOptions, ({ state }) => state.caricatureOptions),
  command(`POST ${CARICATURES}/consent`, ({ state }) => {
    state.caricatureOptions.consentNeeded = false;
  }),
  route(`POST ${CARICATURES}/generate`, Caricature, generate, { status: 202 }),
  route(
    `POST ${CARICATURES}/:id/redo`,
    Caricature,
    (call) => {
      const { originalImageUrl, petId, memoryId, style } = caricatureOf(call);
      return start(call, { originalImageUrl, petId, memoryId, style });
    },
    { status: 202 },
  ),
  file(`GET ${CARICATURES}/:id/file`, 'image/png', (call) => {
    completed(call);
    return PHOTO;
  }),
  route(`POST ${CARICATURES}/:id/keep`, Memory, saveAsMemory, { status: 201 }),
  route(`POST ${CARICATURES}/:id/profile-picture`, Pet, (call) => {
    const { petId, caricatureImageUrl } = completed(call);
    const pet = call.state.pets.find(({ id }) => id === petId);
    if (!pet) throw new FakeError(409, 'The pet of this caricature was deleted.');
    const originalUrl = String(caricatureImageUrl);
    return Object.assign(pet, {
      profileImageUrl: caricatureImageUrl,
      profileImageCrop: { originalUrl, width: 1024, height: 1024, left: 0, top: 0, size: 1024 },
    });
  }),
  command(`DELETE ${CARICATURES}/:id`, ({ state, params }) =>
    removeById(state.caricatures, params['id'], UNKNOWN),
  ),

  route(
    'POST /api/flipbooks/pdf',
    FlipbookPdf,
    (call) => {
      parseBody(call, CreateFlipbookPdfRequest);
      const pdf = { id: newId(call.state), status: 'making' as const, progress: 0, url: null };
      call.state.pdfs = [pdf];
      return pdf;
    },
    { status: 202 },
  ),
  route('GET /api/flipbooks/pdf/:id', FlipbookPdf, ({ state, params }) => findById(state.pdfs, params['id'])),
  file('GET /api/flipbooks/pdf/:id/file', 'application/pdf', ({ state, params }) => {
    findById(state.pdfs, params['id']);
    return new Uint8Array();
  }),
];

/** For the routes of shares, too. @throws FakeError unless it is completed */
export function completed(call: Call): Caricature {
  const caricature = caricatureOf(call);
  if (caricature.status !== 'completed') throw new FakeError(409, 'This caricature is not finished.');
  return caricature;
}

function caricatureOf({ state, params }: Call): Caricature {
  return findById(state.caricatures, params['id'], UNKNOWN);
}

function generate(call: Call): Caricature {
  const { petId, imageUrl, style } = parseBody(call, GenerateCaricatureRequest);
  const { pets, album, caricatureOptions } = call.state;
  findById(pets, petId, 'This pet was not found.');
  const photo = album.memories.find((memory) => memory.imageUrl === imageUrl);
  if (!photo) throw notFound('This photo was not found.');
  if (caricatureOptions.consentNeeded)
    throw new FakeError(409, 'Please agree first.', { code: CONSENT_NEEDED });
  const running = call.state.caricatures.find(
    (each) => each.status === 'generating' && each.memoryId === photo.id && each.style === style,
  );
  return running ?? start(call, { petId, memoryId: photo.id, originalImageUrl: imageUrl, style });
}

type Origin = Pick<Caricature, 'petId' | 'memoryId' | 'originalImageUrl' | 'style'>;

function start({ state }: Call, origin: Origin): Caricature {
  const caricature: Caricature = {
    id: newId(state),
    ...origin,
    status: 'generating',
    artist: state.caricatureOptions.artist,
    failureReason: null,
    caricatureImageUrl: null,
    shareUrl: null,
    createdAt: state.now,
  };
  state.caricatures.unshift(caricature);
  return caricature;
}

function saveAsMemory(call: Call): z.infer<typeof Memory> {
  const { state } = call;
  const { petId, caricatureImageUrl } = completed(call);
  const existing = state.album.memories.find(({ imageUrl }) => imageUrl === caricatureImageUrl);
  if (existing) return existing;
  const memory: Memory = {
    id: newId(state),
    petId,
    imageUrl: caricatureImageUrl ?? '',
    caption: petId ? `${state.album.petName(petId)}'s caricature` : 'Caricature',
    tags: ['caricature'],
    isLiked: false,
    memoryDate: null,
    dateSource: null,
    createdAt: state.now,
    source: 'caricature',
    width: 400,
    height: 300,
    isAnimated: false,
    placeholder: PLACEHOLDER,
  };
  state.album.create(memory);
  return memory;
}
